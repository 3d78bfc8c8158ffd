import type { Json } from '../json.ts';
import type { ValuePlace } from './place.ts';
import type { ValueSchema } from '../structural.ts';

/** One value to be judged by one schema. */
export type ValueCheck = {
  readonly schema: ValueSchema;
  readonly value: Json;
  /** The stored value in the same place: what equals it is not judged again. */
  readonly old: Json | undefined;
  readonly place: ValuePlace;
};
