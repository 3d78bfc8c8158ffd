import { byText } from '@nodewright/apis';
import { nodeNameOf } from '../../cluster/node-state.ts';
import type { DisruptionCandidate } from './candidate.ts';

/** What the removal of a node saves per unit of disruption. */
export const savingsRatio = ({ priceMicroUsdPerHour, rescheduleCost }: DisruptionCandidate): number =>
  priceMicroUsdPerHour / rescheduleCost;

/** The best savings ratio first, then by name. */
export const bestSavingsFirst = (a: DisruptionCandidate, b: DisruptionCandidate): number =>
  savingsRatio(b) - savingsRatio(a) || byText(nodeNameOf(a.state), nodeNameOf(b.state));
