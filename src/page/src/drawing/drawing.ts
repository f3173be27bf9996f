// The drawing of a mechanism: all its parts, in the order in which they lie, in three levels of detail.
import type { Pose } from '../pose.ts';
import { distance } from '../rotation.ts';
import type { Scene, SceneElement } from '../scene.ts';
import { addForce, addInnerForce, addTorque, arrowScale, drawGravity, type ArrowScale } from './arrows.ts';
import { addBall, addPrimitive, addWheel } from './bodies.ts';
import type { Camera } from './camera.ts';
import { colours } from './colours.ts';
import { addBeam, addConnector, addLink, addTorsion } from './connectors.ts';
import { Hairlines } from './hairlines.ts';
import { addJoint, blocks } from './joints.ts';
import { drawNames } from './names.ts';
import type { Pen } from './pen.ts';
import { layers, Sheet, type Detail, type Look } from './sheet.ts';
import { addSupport, supportsOf, type Support } from './supports.ts';
import { drawCentreOfMass } from './symbols.ts';

/** Up to so many parts are drawn with all that belongs to them, or each with one stroke (measured: docs/benchmarks.md). */
const mostInFull = 250;
const mostInStrokes = { 2: 1500, 3: 1000 };
const mostCentresOfMass = 40;
const mostSupports = 200;

export class Drawing {
  private readonly supports: Support[];
  private readonly lanes: Map<SceneElement, number>;
  private readonly arrows: ArrowScale;
  /** Bodies without a shape, with the number of others at the same place. */
  private readonly wheels: Map<number, number>;
  /** Half of a usual link (m): masses are not drawn larger. */
  private readonly room: number;
  private hairlines: Hairlines | undefined;

  constructor(
    readonly scene: Scene,
    rest: Pose,
  ) {
    this.supports = placesOnGround(scene) <= mostSupports ? supportsOf(scene, rest) : [];
    this.lanes = this.detail() === 'hairlines' ? new Map() : lanesOf(scene);
    this.arrows = arrowScale(scene);
    this.wheels = this.detail() === 'full' ? wheelsOf(scene) : new Map();
    this.room = 0.5 * usualLength(scene, rest);
  }

  /** The level of detail that is drawn swiftly. */
  detail(): Detail {
    const parts = this.scene.primitives.length + this.scene.elements.length;
    if (parts <= mostInFull) return 'full';
    return parts <= mostInStrokes[this.scene.dimension] ? 'plain' : 'hairlines';
  }

  paint(pen: Pen, camera: Camera, pose: Pose, look: Look): void {
    const sheet = new Sheet(pen, camera, this.scene, pose, colours(), look);
    if (look.detail === 'hairlines') this.paintHairlines(sheet);
    else this.paintParts(sheet);
    if (look.silhouette) return;
    drawGravity(sheet);
    if (look.names) drawNames(sheet);
  }

  private paintHairlines(sheet: Sheet): void {
    this.hairlines ??= new Hairlines(this.scene);
    const colour = sheet.look.silhouette ?? sheet.colours.body;
    sheet.pen.segments(this.hairlines.place(sheet.pose, sheet.camera), { colour, width: 1 });
    if (sheet.look.silhouette) return;
    for (const support of this.supports) addSupport(sheet, support);
    sheet.paint();
  }

  private paintParts(sheet: Sheet): void {
    for (const shape of this.scene.primitives) addPrimitive(sheet, shape);
    for (const [frame, within] of this.wheels) addWheel(sheet, frame, within);
    for (const element of this.scene.elements) this.addElement(sheet, element);
    if (!sheet.look.silhouette) {
      for (const support of this.supports) addSupport(sheet, support);
      this.addMasses(sheet);
    }
    sheet.paint();
  }

  private addElement(sheet: Sheet, element: SceneElement): void {
    const { forces, detail } = sheet.look;
    const isBehind = sheet.look.silhouette !== undefined;
    switch (element.role) {
      case 'link':
        addLink(sheet, element);
        break;
      case 'spring':
      case 'damper':
      case 'actuator':
        addConnector(sheet, element, this.lanes.get(element) ?? 0);
        break;
      case 'beam':
        addBeam(sheet, element);
        break;
      case 'joint':
        if (!isBehind && detail === 'full') addJoint(sheet, element);
        break;
      case 'torsion':
        if (!isBehind && detail === 'full') addTorsionOrConnector(sheet, element, this.lanes.get(element) ?? 0);
        break;
      case 'force':
        if (!isBehind) addForce(sheet, element, this.arrows);
        break;
      case 'torque':
        if (!isBehind) addTorque(sheet, element);
        break;
      case 'measure':
        if (!isBehind && detail === 'full') addOutput(sheet, element);
        break;
      default:
        break;
    }
    if (forces && !isBehind) addInnerForce(sheet, element, this.arrows);
  }

  private addMasses(sheet: Sheet): void {
    const { frames } = this.scene;
    const marks = frames.length <= mostCentresOfMass;
    frames.forEach((frame, index) => {
      const centre = sheet.place({ frame: index, at: frame.centre ?? [0, 0, 0] });
      if (frame.kind === 'scalar' || (frame.kind === 'point' && frame.mass)) addPointMass(sheet, index, this.room);
      else if (frame.kind === 'body' && frame.mass && marks && sheet.look.detail === 'full') {
        sheet.add(layers.masses, centre, () => {
          const radius = Math.max(3, 0.36 * sheet.thickness);
          drawCentreOfMass(sheet.pen, sheet.pixel(centre), radius, sheet.colours.mass, sheet.colours.paper);
        });
      }
    });
  }
}

function addPointMass(sheet: Sheet, frame: number, room: number): void {
  const wanted = sheet.look.detail === 'full' ? 0.85 * sheet.thickness : 2;
  const radius = Math.max(0.8, Math.min(wanted, 0.7 * room * sheet.camera.scale));
  addBall(sheet, sheet.place({ frame, at: [0, 0, 0] }), radius, sheet.colours.mass);
}

function placesOnGround(scene: Scene): number {
  return scene.elements.reduce((sum, { places }) => sum + places.filter(place => place.frame < 0).length, 0);
}

function wheelsOf(scene: Scene): Map<number, number> {
  // The frame of a flexible body has no shape of its own: its beams are the body.
  if (scene.frames.some(frame => frame.kind === 'node')) return new Map();
  const shaped = new Set(scene.primitives.map(shape => shape.frame));
  for (const element of scene.elements)
    if (element.role === 'beam' || blocks.has(element.kind))
      for (const place of element.places) shaped.add(place.frame);
  const wheels = new Map<number, number>();
  scene.frames.forEach((frame, index) => {
    if (frame.kind !== 'body' || shaped.has(index)) return;
    const others = [...wheels.keys()].filter(
      other => distance(scene.frames[other]!.position, frame.position) < 1e-6 * scene.size,
    );
    wheels.set(index, others.length);
  });
  return wheels;
}

/** The median length of links, or the picture's where there is none. */
function usualLength(scene: Scene, rest: Pose): number {
  const lengths = scene.elements
    .filter(element => element.role === 'link' && element.places.length > 1)
    .map(element => distance(rest.place(element.places[0]!), rest.place(element.places[1]!)))
    .sort((one, other) => one - other);
  return lengths[Math.floor(lengths.length / 2)] ?? scene.size;
}

function addTorsionOrConnector(sheet: Sheet, element: SceneElement, lane: number): void {
  const [first, second] = element.places;
  const apart = first && second && distance(sheet.place(first), sheet.place(second)) > 0.02 * sheet.scene.size;
  if (apart) addConnector(sheet, element, lane);
  else addTorsion(sheet, element);
}

function addOutput(sheet: Sheet, element: SceneElement): void {
  const place = element.places[0];
  if (!place) return;
  const at = sheet.place(place);
  sheet.add(layers.arrows, at, () => {
    sheet.pen.circle(sheet.pixel(at), 0.75 * sheet.thickness, undefined, { colour: sheet.colours.ucs, width: 1.8 });
  });
}

/** Connectors between the same two places lie side by side. */
function lanesOf(scene: Scene): Map<SceneElement, number> {
  const groups = new Map<string, SceneElement[]>();
  for (const element of scene.elements) {
    if (!['spring', 'damper', 'actuator', 'torsion'].includes(element.role) || element.places.length < 2) continue;
    const key = element.places
      .map(place => `${place.frame}:${place.at.join()}`)
      .sort()
      .join(' ');
    groups.set(key, [...(groups.get(key) ?? []), element]);
  }
  const lanes = new Map<SceneElement, number>();
  for (const group of groups.values())
    group.forEach((element, index) => lanes.set(element, index - (group.length - 1) / 2));
  return lanes;
}
