import { byText } from '@nodewright/apis';
import { nodeNameOf } from '../../cluster/node-state.ts';
import type { Candidate } from './candidate.ts';

/** What the removal of a node saves per unit of disruption. */
export const savingsRatio = ({ priceMicroUsdPerHour, rescheduleCost }: Candidate): number =>
  priceMicroUsdPerHour / rescheduleCost;

/** The best savings ratio first, then by name. */
export const bestSavingsFirst = (a: Candidate, b: Candidate): number =>
  savingsRatio(b) - savingsRatio(a) || byText(nodeNameOf(a.state), nodeNameOf(b.state));
