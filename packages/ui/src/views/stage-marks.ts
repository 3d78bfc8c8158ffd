import type { NodeStage } from '@nodewright/dashboard/rows';

/** The mark of a node beside its colour. */
export const stageMarks: Readonly<Record<NodeStage, string>> = {
  troubled: '!',
  toMove: '→',
  leaving: '×',
  starting: '+',
  unmanaged: '?',
  ready: '',
};
