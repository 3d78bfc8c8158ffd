import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../packages/ui/src/page.css'), 'utf8');

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** How light reaches readers without one kind of cones, in linear RGB. @see https://doi.org/10.1109/TVCG.2009.113 */
const visions: Readonly<Record<string, Matrix>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

const multiply = (matrix: Matrix, [x, y, z]: Triple): Triple => {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2] * z);
  return [a ?? 0, b ?? 0, c ?? 0];
};

const toLinear = (hex: string): number => {
  const share = Number.parseInt(hex, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const readLight = (colour: string): Triple => [
  toLinear(colour.slice(1, 3)),
  toLinear(colour.slice(3, 5)),
  toLinear(colour.slice(5, 7)),
];

const toXyz: Matrix = [
  [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
  [0.2126, 0.7152, 0.0722],
  [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
];

/** CIE L*a*b*, in which distances are about as large as they look. */
function toLab(colour: string, vision: Matrix): Triple {
  const [red, green, blue] = multiply(vision, readLight(colour));
  const inside: Triple = [clamp(red), clamp(green), clamp(blue)];
  const [x, y, z] = multiply(toXyz, inside).map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * (y ?? 0) - 16, 500 * ((x ?? 0) - (y ?? 0)), 200 * ((y ?? 0) - (z ?? 0))];
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** The colour of a class in one of the two themes. */
function readColour(className: string, theme: number): string {
  const [, own = ''] = new RegExp(`\\.${className} \\{\\s*background: ([^;]+);`).exec(css) ?? [];
  const [, name] = /^var\((--\w+)\)$/.exec(own) ?? [];
  const [, value = own] = name === undefined ? [] : (new RegExp(`${name}: ([^;]+);`).exec(css) ?? []);
  return value.match(/#[0-9a-f]{6}/g)?.at(value.startsWith('light-dark') ? theme : 0) ?? '';
}

const sets = {
  health: ['troubled', 'toMove', 'leaving', 'starting', 'unmanaged', 'ready'].map((stage) => `stage-${stage}`),
  image: [0, 1, 2, 3, 4, 5, 6, 'other'].map((name) => `name-${name}`),
  age: [0, 1, 2, 3, 4].map((step) => `step-${step}`),
};

/** Colours that are nearer than that are hard to tell apart in cells of this size. */
const leastDistance = 15;

test.each(
  Object.entries(sets).flatMap(([colouring, classes]) =>
    Object.keys(visions).flatMap((vision) => [0, 1].map((theme) => ({ colouring, classes, vision, theme }))),
  ),
)('colours by $colouring can be told apart: $vision, theme $theme', ({ classes, vision, theme }) => {
  const matrix = visions[vision];
  if (matrix === undefined) throw new Error(vision);
  const colours = classes.map((className) => ({ className, colour: readColour(className, theme) }));
  expect(colours.filter(({ colour }) => colour === '')).toEqual([]);
  const near = colours.flatMap((a, index) =>
    colours.slice(index + 1).flatMap((b) => {
      const distance = Math.hypot(
        ...toLab(a.colour, matrix).map((value, at) => value - (toLab(b.colour, matrix)[at] ?? 0)),
      );
      return distance < leastDistance ? [`${a.className} and ${b.className}: ${distance.toFixed(1)}`] : [];
    }),
  );
  expect(near).toEqual([]);
});
