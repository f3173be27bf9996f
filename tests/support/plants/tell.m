% Tells what Octave loads from a plant.mat, in the words of told.h: octave-cli tell.m FOLDER entries|system FILE
%
% FOLDER is that of stillpoint_load.m.
1;

function tell (name, what, sizes, words)
  printf ('%s', strjoin ([{name, what}, arrayfun(@(n) sprintf ('%d', n), sizes, 'UniformOutput', false), words], ' '));
  printf ("\n");
end

function words = bits (x)
  words = {};
  if numel (x) > 0
    words = cellstr (num2hex (x(:)))';
  end
end

function words = complex_bits (x)
  words = [bits(real (x)); bits(imag (x))];
  words = words(:)';
end

function word = bytes (text)
  word = ['"', sprintf('%02x', uint8 (text))];
end

function tell_entries (plant, prefix)
  names = fieldnames (plant);
  for k = 1:numel (names)
    value = plant.(names{k});
    name = [prefix, names{k}];
    if isstruct (value)
      tell_entries (value, [name, '.']);
    elseif ischar (value)
      tell (name, 'texts', 1, {bytes(value)});
    elseif iscell (value)
      tell (name, 'texts', numel (value), cellfun (@bytes, value(:)', 'UniformOutput', false));
    elseif issparse (value)
      [i, j, x] = find (value);
      words = bits (x);
      for e = 1:numel (x)
        words{e} = sprintf ('%d,%d,%s', i(e) - 1, j(e) - 1, words{e});
      end
      tell (name, 'sparse', size (value), words);
    elseif strcmp (name, 'check.response')
      tell (name, 'response', [size(value, 1), size(value, 2), size(value, 3)], complex_bits (value(:)));
    elseif any (strcmp (name, {'A', 'B', 'C', 'D', 'E'}))
      tell (name, 'full', size (value), bits (value));
    elseif strcmp (name, 'modes.s')
      tell (name, 'complex', numel (value), complex_bits (value));
    else
      tell (name, 'vector', numel (value), bits (value));
    end
  end
end

function tell_system (sys)
  poles = pole (sys);
  [~, order] = sort (imag (poles));
  printf ('{"poles": [');
  printf ('%s', strjoin (arrayfun (@(s) sprintf ('[%.17g, %.17g]', real (s), imag (s)), poles(order).', ...
                                   'UniformOutput', false), ', '));
  printf ('], "gain": [');
  printf ('%s', strjoin (arrayfun (@(g) sprintf ('[%.17g]', g), dcgain (sys)', 'UniformOutput', false), ', '));
  printf ('], "states": %d, "inputs": ["%s"], "outputs": ["%s"]}', numel (sys.stname), ...
          strjoin (sys.inname', '", "'), strjoin (sys.outname', '", "'));
  printf ("\n");
end

given = argv ();
addpath (given{1});
pkg load control
if strcmp (given{2}, 'entries')
  [~, plant] = stillpoint_load (given{3});
  tell_entries (plant, '');
else
  tell_system (stillpoint_load (given{3}, 'verify'));
end
