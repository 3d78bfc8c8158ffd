/**
 * What is measured, by name: `npm run bench -- scheduling [--case C] [--pods N] [--problem FILE] [--json FILE]`,
 * `load [--pods N] [--nodes N] [--again] [--json FILE]`, `rounds [--pods N] [--rounds N] [--json FILE]`,
 * `forecast [--nodes N,N] [--wire N,N] [--pods N] [--phases replaced,idle] [--counts] [--json FILE]`,
 * `rollouts [--runs N] [--json FILE]`,
 * `storage [--rounds N] [--dir DIR] [--json FILE]`,
 * `memory [--nodes N,N] [--seconds N] [--json FILE]`,
 * `ui [--nodes N] [--pods N] [--seconds N] [--deltas N]`,
 * `node-groups [--by eks|operator] [--nodes N] [--groups N] [--json FILE]`, `calls [--sizes 10,100] [--json FILE]`, or
 * `worst-cases [NAME]`.
 */
import { benchCalls } from './calls/run.ts';
import { benchForecast } from './forecast/run.ts';
import { benchLoad } from './load/run.ts';
import { benchMemory } from './memory/run.ts';
import { benchNodeGroups } from './node-groups/run.ts';
import { benchRounds } from './rounds/run.ts';
import { benchRollouts } from './rollouts/run.ts';
import { benchScheduling } from './scheduling/run.ts';
import { benchStorage } from './storage/run.ts';
import { benchPage } from './ui/run.ts';
import { benchWorstCases } from './worst-cases/run.ts';

const [subject, ...rest] = process.argv.slice(2);
const subjects: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  scheduling: benchScheduling,
  calls: benchCalls,
  load: benchLoad,
  forecast: benchForecast,
  rounds: benchRounds,
  rollouts: benchRollouts,
  memory: benchMemory,
  storage: benchStorage,
  'node-groups': benchNodeGroups,
  ui: benchPage,
  'worst-cases': benchWorstCases,
};
const bench = subjects[subject ?? ''];
if (bench === undefined) {
  console.error(`what to measure? one of: ${Object.keys(subjects).join(', ')}`);
  process.exitCode = 2;
} else await bench(rest);
