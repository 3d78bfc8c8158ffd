import { printBlockedEvent } from '../candidates/blocked-event.ts';
import { fewestSpotTypes, printedRefusal, shortenedList, type ConsolidationRefusal } from './refusal.ts';

/** The message of the event `Unconsolidatable` on a node that the simulation leaves where it is; Karpenter's words first. */
export function printRefusalEvent(refusal: ConsolidationRefusal): string {
  switch (refusal.kind) {
    case 'noPlace':
      return printBlockedEvent(shortenedList(refusal.blocker));
    case 'severalReplacements':
      return `Can't remove without creating ${refusal.count} candidates`;
    case 'notCheaper':
      return `Can't replace with a cheaper node: ${printedRefusal(refusal)}`;
    case 'spotToSpotOff':
      return `SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node: ${printedRefusal(refusal)}`;
    case 'fewSpotTypes':
      return `SpotToSpotConsolidation requires ${fewestSpotTypes} cheaper instance type options than the current candidate to consolidate, got ${refusal.found}: ${printedRefusal(refusal)}`;
    case 'minValues':
      return `Filtering by price: ${printedRefusal(refusal)}`;
    case 'sameType':
    case 'unbalanced':
      return printedRefusal(refusal);
  }
}
