import type { JsonValue } from '../json.ts';
import type { ValuePlace } from './place.ts';
import type { ValueSchema } from '../structural.ts';

/** One value with the schema to check it by. */
export type ValueCheck = {
  readonly schema: ValueSchema;
  readonly value: JsonValue;
  /** The stored value in the same place. A value that equals it is not checked again. */
  readonly old: JsonValue | undefined;
  readonly place: ValuePlace;
};
