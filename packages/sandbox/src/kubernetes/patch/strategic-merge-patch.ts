import type { Json } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import { mergePatch } from './merge-patch.ts';
import type { PatchOutcome } from './outcome.ts';

export type StrategicMerge = {
  readonly doc: Json;
  readonly patch: Json;
  /** The built-in kind's schema: its merge keys and patch strategies decide how lists merge. */
  readonly schema: StructuralSchema;
};

/** Strategic merge patch, for built-in kinds. */
export function strategicMergePatch({ doc, patch }: StrategicMerge): PatchOutcome {
  return mergePatch(doc, patch);
}
