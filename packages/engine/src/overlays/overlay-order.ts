import { byText, type NodeOverlay } from '@nodewright/apis';

export const weightOf = ({ spec }: NodeOverlay): number => spec.weight ?? 0;

/** The heaviest first; of equals the one that comes later in the alphabet. */
export const heaviestOverlayFirst = (a: NodeOverlay, b: NodeOverlay): number =>
  weightOf(b) - weightOf(a) || byText(b.metadata.name, a.metadata.name);
