import { textTrait, type Shape, type Structure } from './shape.ts';

/** REST services may rename members in JSON; the target-header protocols do not. */
export type JsonDialect = 'awsJson' | 'restJson';

export const keyOf = (name: string, member: Shape, dialect: JsonDialect): string =>
  dialect === 'restJson' ? (textTrait(member, 'jsonName') ?? name) : name;

export const mapValues = (map: Structure, change: (value: unknown) => unknown): Structure =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
