import { textTrait, type Shape, type WireStructure } from './shape.ts';

/** REST services may rename members in JSON; the target-header protocols do not. */
export type JsonDialect = 'awsJson' | 'restJson';

export const jsonKeyOf = (name: string, member: Shape, dialect: JsonDialect): string =>
  dialect === 'restJson' ? (textTrait(member, 'jsonName') ?? name) : name;

export const mapValues = (map: WireStructure, change: (value: unknown) => unknown): WireStructure =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
