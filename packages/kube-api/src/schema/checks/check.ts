import type { Json } from '../json.ts';
import type { Place } from './place.ts';
import type { StructuralSchema } from '../structural.ts';

/** One value to be judged by one schema. */
export type Check = {
  readonly schema: StructuralSchema;
  readonly value: Json;
  /** The stored value in the same place: what equals it is not judged again. */
  readonly old: Json | undefined;
  readonly place: Place;
};
