import { driftMethod } from './drift/drift-method.ts';
import { emptinessMethod } from './emptiness/emptiness-method.ts';
import type { DisruptionMethod } from './method.ts';
import { staticDrift } from './drift/static-drift-method.ts';

/** All ways of choosing nodes to disrupt, in the order in which they are asked. */
export const disruptionMethods: readonly DisruptionMethod[] = [emptinessMethod, staticDrift, driftMethod];
