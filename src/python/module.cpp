// The Python module stillpoint._core: handles of what the library makes, and functions that call it. The classes that
// people see are written in Python, in the folder stillpoint; there is no mathematics in either.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <system_error>

#include "python/answers.h"
#include "python/handles.h"
#include "python/loads.h"
#include "python/responses.h"
#include "python/watched.h"
#include "stillpoint/error.h"
#include "stillpoint/threads.h"
#include "stillpoint/version.h"

namespace py = pybind11;

namespace stillpoint::python {

namespace {

// The class is kept for ever: at the end of the program nothing may be destroyed after the interpreter.
py::handle error_class(py::module_& module) {
  static py::handle made;
  if (!made) {
    made = py::exception<Error>(module, "Error", PyExc_ValueError).release();
    made.attr("__module__") = "stillpoint";
    made.attr("__doc__") =
        "The model or the request is wrong. The text says where, what was found, and what is allowed.\n\n"
        "`file`, `line` and `column` are the place in a model file, or None.";
  }
  return made;
}

void raise(const Error& error, py::handle type) {
  py::object raised = type(py::str(error.what()));
  const SourcePlace& place = error.place();
  raised.attr("file") = place.file.empty() ? py::object(py::none()) : py::str(place.file);
  raised.attr("line") = place.line > 0 ? py::object(py::int_(place.line)) : py::none();
  raised.attr("column") = place.column > 0 ? py::object(py::int_(place.column)) : py::none();
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void translate_errors(py::module_& module) {
  error_class(module);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      py::module_ core = py::module_::import("stillpoint._core");
      raise(error, error_class(core));
    } catch (const std::system_error& error) {  // of files and folders
      py::module_ core = py::module_::import("stillpoint._core");
      raise(Error(error.what()), error_class(core));
    } catch (const WorkCancelled&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace

}  // namespace stillpoint::python

PYBIND11_MODULE(_core, module) {
  using namespace stillpoint;
  module.doc() = "Handles of the C++ library; the classes for people are in the package above.";
  python::translate_errors(module);
  module.def("version", &version);
  module.def("most_threads", &most_threads);
  module.def("set_most_threads", &set_most_threads, py::arg("count"));
  module.def("end_after_workers", &python::end_after_workers);
  python::bind_models(module);
  python::bind_systems(module);
  python::bind_changes(module);
  python::bind_modes(module);
  python::bind_plants(module);
  python::bind_motions(module);
  python::bind_studies(module);
  python::bind_inspections(module);
  python::bind_responses(module);
  python::bind_loads(module);
  python::bind_answers(module);
  python::bind_pages(module);
  python::bind_usual_values(module);
}
