import { nodes, type Node } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

/** An event on a node, reported once for each reason. */
export const aboutNode = (
  about: Node,
  { type, reason, message }: Pick<EventReport, 'type' | 'reason' | 'message'>,
): EventReport => ({ kind: nodes, about, type, reason, message, dedupe: [about.metadata.name] });
