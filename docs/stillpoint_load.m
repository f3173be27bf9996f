function [sys, plant] = stillpoint_load (file, option)
%STILLPOINT_LOAD  A plant from 'stillpoint export', as a state-space model with its names.
%
%   SYS = STILLPOINT_LOAD ('plant.mat') makes of the form in the file
%
%                            MATLAB    Octave (pkg load control)
%     state-space, modal     ss        ss
%     descriptor             sparss    dss
%     second-order           mechss    dss, with the states (z, dz/dt)
%
%   [SYS, PLANT] = STILLPOINT_LOAD (...) gives all entries of the file as well: the operating point in PLANT.Offsets,
%   PLANT.T that leads back to all coordinates (dq = T x + S u), poles with error bounds in PLANT.modes, units, notes.
%
%   STILLPOINT_LOAD (FILE, 'verify') compares the frequency response of SYS with the one in the file, prints by how
%   much they differ, and ends with an error if that is more than 1e-10 of the largest response of a channel, or more
%   than 50 roundings of the entries of SYS can make of it, where slow and fast modes are far apart.

  if nargin > 1 && ~strcmp (option, 'verify')
    error ('stillpoint_load: there is no option ''%s''; there is ''verify''', option);
  end
  content = load (file);
  if ~isfield (content, 'stillpoint')
    error ('stillpoint_load: %s holds no plant of stillpoint', file);
  end
  plant = with_all_characters (content.stillpoint);
  sys = with_names (model_of (plant), plant);
  if nargin > 1
    verify (sys, plant);
  end
end

function answer = is_octave ()
  answer = exist ('OCTAVE_VERSION', 'builtin') ~= 0;
end

% Octave cuts texts with characters beyond ASCII; all of them are in the file once more as bytes.
function plant = with_all_characters (plant)
  if is_octave ()
    plant = texts_from_bytes (plant, plant.utf8);
  end
  plant = rmfield (plant, 'utf8');
end

function entries = texts_from_bytes (entries, bytes)
  names = fieldnames (bytes);
  for k = 1:numel (names)
    name = names{k};
    if isstruct (bytes.(name))
      entries.(name) = texts_from_bytes (entries.(name), bytes.(name));
    elseif ~iscell (entries.(name))
      entries.(name) = char (bytes.(name));
    elseif numel (entries.(name)) > 0
      lines = strsplit (char (bytes.(name)), char (10), 'CollapseDelimiters', false);
      entries.(name) = lines(:);
    end
  end
end

function sys = model_of (plant)
  switch plant.form
    case 'second-order'
      if ~is_octave ()
        sys = mechss (plant.M, plant.C, plant.K, plant.B, plant.F, plant.G, plant.D);
        return
      end
      n = size (plant.M, 1);
      A = [zeros(n), eye(n); -full(plant.K), -full(plant.C)];
      B = [zeros(n, size(plant.B, 2)); full(plant.B)];
      E = [eye(n), zeros(n); zeros(n), full(plant.M)];
      sys = dss (A, B, full ([plant.F, plant.G]), full (plant.D), E);
    case 'descriptor'
      if is_octave ()
        sys = dss (full (plant.A), full (plant.B), full (plant.C), full (plant.D), full (plant.E));
      else
        sys = sparss (plant.A, plant.B, plant.C, plant.D, plant.E);
      end
    otherwise
      if isfield (plant, 'Ts')
        sys = ss (plant.A, plant.B, plant.C, plant.D, plant.Ts);
      else
        sys = ss (plant.A, plant.B, plant.C, plant.D);
      end
  end
end

function sys = with_names (sys, plant)
  states = plant.StateName;
  if is_octave ()
    if strcmp (plant.form, 'second-order')
      states = [states; strcat('d(', states, ')/dt')];
    end
    sys = set (sys, 'stname', states, 'inname', plant.InputName, 'outname', plant.OutputName, 'name', plant.name);
    return
  end
  sys.InputName = plant.InputName;
  sys.OutputName = plant.OutputName;
  sys.InputUnit = plant.InputUnit;
  sys.OutputUnit = plant.OutputUnit;
  sys.Name = plant.name;
  if isa (sys, 'ss')
    sys.StateName = states;
    sys.StateUnit = plant.StateUnit;
    if isprop (sys, 'Offsets') && ~isempty (plant.Offsets.x) && ~isempty (plant.Offsets.dx)
      sys.Offsets = plant.Offsets;
    end
  end
end

function verify (sys, plant)
  expected = plant.check.response;
  count = numel (plant.check.omega);
  if count == 0
    error ('stillpoint_load: %s holds no frequency response to compare with', plant.name);
  end
  found = zeros (size (expected));
  rounding = zeros (size (expected));
  for k = 1:count
    s = 1i * plant.check.omega(k);
    if isfield (plant, 'Ts')
      s = exp (s * plant.Ts);   % in discrete time z takes the place of s
    end
    [found(:, :, k), rounding(:, :, k)] = response_at (sys, s);
  end
  scale = max (repmat (max (abs (expected), [], 3), [1, 1, count]), realmin);
  difference = abs (found - expected);
  largest = max (difference(:) ./ scale(:));
  fprintf ('%s: the frequency response differs by %.1e at %d frequencies\n', plant.name, largest, count);
  if ~all (difference(:) <= 1e-10 * scale(:) + 50 * rounding(:))
    error ('stillpoint_load: this is not the plant that was written; its frequency response differs by %.1e', largest);
  elseif largest > 1e-10
    fprintf ('%s: rounding of its entries alone may change it by as much\n', plant.name);
  end
end

% Also, by how much it changes if every entry and every product is rounded once.
function [H, rounding] = response_at (sys, s)
  if ~is_octave () && isa (sys, 'mechss')
    [M, C, K, B, F, G, D] = mechssdata (sys);
    outputs = F + s * G;
    A = s^2 * M + s * C + K;
  else
    if ~is_octave () && isa (sys, 'sparss')
      [A, B, outputs, D, E] = sparssdata (sys);
    else
      [A, B, outputs, D, E] = dssdata (sys);
    end
    if isempty (E)
      E = eye (size (A, 1));
    end
    A = s * E - A;
  end
  states = A \ full (B);
  states = states + A \ full (B - A * states);  % its error is now that of rounding every entry once
  H = full (outputs * states + D);
  forces = abs (A) * abs (states) + abs (full (B));
  rounding = eps * (abs (full (outputs) / A) * forces + full (abs (outputs) * abs (states) + abs (D)));
end
