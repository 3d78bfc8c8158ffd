import type { NodeStage } from '@nodewright/dashboard/rows';

/** The sign of a node beside its colour. */
export const stageSigns: Readonly<Record<NodeStage, string>> = {
  troubled: '!',
  toMove: '→',
  leaving: '×',
  starting: '+',
  unmanaged: '?',
  ready: '',
};
