import type { ValueSchema } from '../schema/structural.ts';

/** The member by which items of a list are told apart; undefined for lists of plain values. */
export const mergeKeyOf = (schema: ValueSchema | undefined): string | undefined =>
  schema?.['x-kubernetes-patch-merge-key'];
