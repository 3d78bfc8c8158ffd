/**
 * The decisions: given a snapshot, what should happen and why. Plain functions over plain
 * data; no promises, clock, logger, chance or environment, so it runs in a browser too.
 */
export type { Requirement, Requirements } from './requirements/requirements.ts';
export type { CapacityType, InstanceType, Offering, Resources } from './scheduling/instance-type.ts';
