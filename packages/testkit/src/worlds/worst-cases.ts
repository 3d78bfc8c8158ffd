import type { WorstCase } from './worst-cases/requests.ts';
import { worstDefinitions } from './worst-cases/worst-definitions.ts';
import { worstReads } from './worst-cases/worst-reads.ts';
import { worstWrites } from './worst-cases/worst-writes.ts';

/** Every handler of the API server with the input that costs it the most. */
export const worstCases: readonly WorstCase[] = [...worstWrites, ...worstDefinitions, ...worstReads];
