import { oncePerObject } from '@nodewright/apis';
import type { InstanceType } from './instance-type.ts';

/** Instance types by their name, looked up once a list. */
export const typesByName = oncePerObject(
  (types: readonly InstanceType[]): ReadonlyMap<string, InstanceType> =>
    new Map(types.map((type) => [type.name, type])),
);
