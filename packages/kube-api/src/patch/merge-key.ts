import type { ValueSchema } from '../schema/structural.ts';

/** The member that identifies the items of a list; undefined for lists of plain values. */
export const mergeKeyOf = (schema: ValueSchema | undefined): string | undefined =>
  schema?.['x-kubernetes-patch-merge-key'];
