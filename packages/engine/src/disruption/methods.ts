import { drift } from './drift-method.ts';
import { emptiness } from './emptiness-method.ts';
import type { DisruptionMethod } from './method.ts';

/** All ways of choosing nodes to disrupt, in the order in which they are asked. */
export const disruptionMethods: readonly DisruptionMethod[] = [emptiness, drift];
