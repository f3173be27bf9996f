// Shapes of bodies: bars, hulls, ellipsoids, boxes, meshes. In space their faces are shaded by how they face the light.
import { add, cross, dot, matrixOfQuaternion, subtract, times, turned, unit } from '../rotation.ts';
import type { Box, Ellipsoid, Hull, Mesh, Polyline, Primitive, Vector } from '../scene.ts';
import { mix } from './colours.ts';
import type { Pixel } from './pen.ts';
import { layers, type Layer, type Sheet } from './sheet.ts';

interface Paint {
  fill: string;
  edge: string;
  light: string;
}

const strengthOfShade = 0.45;

export function addPrimitive(sheet: Sheet, shape: Primitive): void {
  const at = (point: Vector): Vector => sheet.place({ frame: shape.frame, at: point });
  switch (shape.kind) {
    case 'capsule':
    case 'cylinder':
      return addBar(
        sheet,
        at(shape.a),
        at(shape.b),
        widthOf(sheet, shape.radius, shape.from),
        shape.color,
        layers.bodies,
      );
    case 'sphere':
      return addBall(sheet, at(shape.centre), shape.radius * sheet.camera.scale, shape.color);
    case 'ellipsoid':
      return addEllipsoid(sheet, shape);
    case 'box':
      return addBox(sheet, shape);
    case 'hull':
      return sheet.camera.inSpace && shape.faces ? addFaces(sheet, shape, shape.faces, true) : addPlate(sheet, shape);
    case 'mesh':
      return addFaces(sheet, shape, shape.faces, false);
    case 'polyline':
      return addPolyline(sheet, shape);
  }
}

/** Shapes that nobody asked for are never thinner than a bar of this drawing. */
function widthOf(sheet: Sheet, radius: number, from: 'file' | undefined): number {
  const width = 2 * radius * sheet.camera.scale;
  return from ? Math.max(1.5, width) : Math.max(sheet.thickness, Math.min(width, 2.5 * sheet.thickness));
}

function paintAt(sheet: Sheet, middle: Vector, colour: string | undefined): Paint {
  const { colours } = sheet;
  const fill = colour ?? colours.body;
  const edge = colour ? mix(colour, colours.ink, 0.45) : colours['body-edge'];
  const light = colour ? mix(colour, '#ffffff', 0.5) : colours['body-light'];
  return { fill: sheet.at(middle, fill), edge: sheet.at(middle, edge), light: sheet.at(middle, light) };
}

const between = (one: Vector, other: Vector): Vector => times(0.5, add(one, other));

export function addBar(
  sheet: Sheet,
  from: Vector,
  to: Vector,
  width: number,
  colour: string | undefined,
  layer: Layer,
): void {
  const middle = between(from, to);
  sheet.add(layer, middle, () => {
    const { pen, look } = sheet;
    const line = [sheet.pixel(from), sheet.pixel(to)];
    const paint = paintAt(sheet, middle, colour);
    if (look.silhouette) return pen.line(line, { colour: paint.fill, width: 0.8 * width });
    if (look.detail === 'plain') return pen.line(line, { colour: paint.fill, width: Math.max(2, 0.7 * width) });
    pen.line(line, { colour: paint.edge, width: width + 2 });
    pen.line(line, { colour: paint.fill, width });
    if (sheet.camera.inSpace) pen.line(movedUp(line, 0.2 * width), { colour: paint.light, width: 0.22 * width });
  });
}

/** The side of a round bar that the light from above falls on. */
function movedUp(line: Pixel[], by: number): Pixel[] {
  const [from, to] = line as [Pixel, Pixel];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  let normal: Pixel = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
  if (normal[1] > 0 || (normal[1] === 0 && normal[0] > 0)) normal = [-normal[0], -normal[1]];
  return line.map(point => [point[0] + by * normal[0], point[1] + by * normal[1]] as const);
}

export function addBall(sheet: Sheet, centre: Vector, radius: number, colour: string | undefined): void {
  sheet.add(layers.masses, centre, () => {
    const paint = paintAt(sheet, centre, colour);
    const [x, y] = sheet.pixel(centre);
    if (sheet.look.silhouette) return sheet.pen.circle([x, y], radius, paint.fill);
    sheet.pen.circle([x, y], radius, paint.fill, { colour: paint.edge, width: 1.3 });
    if (sheet.camera.inSpace) sheet.pen.circle([x - 0.3 * radius, y - 0.35 * radius], 0.3 * radius, paint.light);
  });
}

/** A body of which nothing is known but that it turns: a disc with a spoke, smaller within others at the same place. */
export function addWheel(sheet: Sheet, frame: number, within: number): void {
  const centre = sheet.place({ frame, at: [0, 0, 0] });
  const radius = (2.6 * sheet.thickness) / (1 + 0.6 * within);
  const spoke = sheet.pose.direction(frame, [1, 0, 0]);
  sheet.add(layers.bodies, centre, () => {
    const paint = paintAt(sheet, centre, undefined);
    const [x, y] = sheet.pixel(centre);
    const [dx, dy] = sheet.camera.toScreen(spoke);
    sheet.pen.circle([x, y], radius, paint.fill, { colour: paint.edge, width: 1.3 });
    sheet.pen.line(
      [
        [x, y],
        [x + radius * dx, y + radius * dy],
      ],
      { colour: paint.edge, width: 2 },
    );
  });
}

/** Seen without perspective, an ellipsoid has an ellipse for an outline. */
function addEllipsoid(sheet: Sheet, shape: Ellipsoid): void {
  const centre = sheet.place({ frame: shape.frame, at: shape.centre });
  const half = halfAxes(sheet, shape);
  sheet.add(layers.bodies, centre, () => {
    const outline = ellipseOf(
      half.map(axis => times(sheet.camera.scale, axis)).map(axis => sheet.camera.toScreen(axis)),
    );
    const paint = paintAt(sheet, centre, shape.color);
    const [x, y] = sheet.pixel(centre);
    const edge = { colour: sheet.look.silhouette ? paint.fill : paint.edge, width: 1.3 };
    sheet.pen.ellipse([x, y], outline.halves, outline.angle, paint.fill, edge);
    if (sheet.look.silhouette || !sheet.camera.inSpace) return;
    const [long, short] = outline.halves;
    sheet.pen.fade(0.55);
    const shine: Pixel = [x - 0.2 * short, y - 0.35 * short];
    sheet.pen.ellipse(shine, [0.45 * long, 0.4 * short], outline.angle, paint.light, { colour: paint.light, width: 1 });
    sheet.pen.fade(1);
  });
}

function halfAxes(sheet: Sheet, shape: Ellipsoid | Box): Vector[] {
  const own = shape.rotation ? matrixOfQuaternion(shape.rotation) : undefined;
  return [0, 1, 2].map(axis => {
    const along: Vector = [0, 0, 0];
    along[axis] = shape.half[axis]!;
    return sheet.pose.direction(shape.frame, own ? turned(own, 0, along) : along);
  });
}

/** The ellipse that holds all sums of the given half axes with squares that add up to one. */
function ellipseOf(axes: Pixel[]): { halves: Pixel; angle: number } {
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const [x, y] of axes) {
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const mean = (xx + yy) / 2;
  const spread = Math.hypot((xx - yy) / 2, xy);
  const halves: Pixel = [Math.sqrt(mean + spread), Math.sqrt(Math.max(0, mean - spread))];
  return { halves: [Math.max(1, halves[0]), Math.max(1, halves[1])], angle: 0.5 * Math.atan2(2 * xy, xx - yy) };
}

const facesOfABox = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

function addBox(sheet: Sheet, shape: Box): void {
  const centre = sheet.place({ frame: shape.frame, at: shape.centre });
  const half = halfAxes(sheet, shape);
  const corners: Vector[] = [];
  for (let corner = 0; corner < 8; corner++) {
    let point = centre;
    half.forEach((axis, number) => (point = add(point, times(corner & (1 << number) ? 1 : -1, axis))));
    corners.push(point);
  }
  if (sheet.camera.inSpace) return addShaded(sheet, corners, facesOfABox, centre, shape.color, true);
  const flat = [corners[0]!, corners[1]!, corners[3]!, corners[2]!];
  addOutline(sheet, flat, centre, shape.color, 1.3);
}

function addFaces(sheet: Sheet, shape: Hull | Mesh, faces: number[][], convex: boolean): void {
  const corners = shape.points.map(point => sheet.place({ frame: shape.frame, at: point }));
  const middle = times(1 / corners.length, corners.reduce(add, [0, 0, 0]));
  addShaded(sheet, corners, faces, middle, shape.color, convex);
}

function addShaded(
  sheet: Sheet,
  corners: Vector[],
  faces: number[][],
  middle: Vector,
  colour: string | undefined,
  convex: boolean,
): void {
  sheet.add(layers.bodies, middle, () => {
    const paint = paintAt(sheet, middle, colour);
    const towards = sheet.camera.towards;
    let visible = faces.map(face => {
      const points = face.map(corner => corners[corner]!);
      const normal = unit(cross(subtract(points[1]!, points[0]!), subtract(points[2]!, points[0]!)));
      return {
        points,
        facing: dot(normal, towards),
        depth: points.reduce((sum, point) => sum + dot(point, towards), 0),
      };
    });
    if (convex) visible = visible.filter(face => face.facing > 0);
    else visible.sort((one, other) => one.depth / one.points.length - other.depth / other.points.length);
    for (const face of visible) {
      const shade = mix(paint.edge, paint.fill, strengthOfShade * (1 - Math.abs(face.facing)));
      const fill = sheet.look.silhouette ? paint.fill : shade;
      const edge = { colour: convex && !sheet.look.silhouette ? paint.edge : fill, width: 1 };
      sheet.pen.area(
        face.points.map(point => sheet.pixel(point)),
        fill,
        edge,
      );
    }
  });
}

/** In the plane: the polygon of a body, rounded by a wide outline. */
function addPlate(sheet: Sheet, shape: Hull): void {
  const corners = shape.points.map(point => sheet.place({ frame: shape.frame, at: point }));
  const middle = times(1 / corners.length, corners.reduce(add, [0, 0, 0]));
  addOutline(sheet, corners, middle, shape.color, widthOf(sheet, shape.radius, shape.from));
}

function addOutline(sheet: Sheet, corners: Vector[], middle: Vector, colour: string | undefined, width: number): void {
  sheet.add(layers.bodies, middle, () => {
    const { pen, look } = sheet;
    const paint = paintAt(sheet, middle, colour);
    const points = corners.map(point => sheet.pixel(point));
    if (!look.silhouette && look.detail === 'full')
      pen.area(points, paint.edge, { colour: paint.edge, width: width + 2 });
    pen.area(points, paint.fill, { colour: paint.fill, width });
  });
}

function addPolyline(sheet: Sheet, shape: Polyline): void {
  const points = shape.points.map(point => sheet.place({ frame: shape.frame, at: point }));
  const width = widthOf(sheet, shape.radius, shape.from);
  for (let piece = 1; piece < points.length; piece++)
    addBar(sheet, points[piece - 1]!, points[piece]!, width, shape.color, layers.bodies);
}
