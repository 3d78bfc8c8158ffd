/** What is measured, by name: `npm run bench -- scheduling --help` lists the flags of one of them. */
import { benchCalls } from './calls/run.ts';
import { benchFirstAnswers } from './first-answers/run.ts';
import { benchForecast } from './forecast/run.ts';
import { benchLoad } from './load/run.ts';
import { benchMemory } from './memory/run.ts';
import { benchNodeGroups } from './node-groups/run.ts';
import { benchRounds } from './rounds/run.ts';
import { benchRollouts } from './rollouts/run.ts';
import { benchScheduling } from './scheduling/run.ts';
import { benchStorage } from './storage/run.ts';
import { benchPage } from './ui/run.ts';
import { refuseFlags } from '../scripts/flags/read-flags.ts';
import { benchWorstCases } from './worst-cases/run.ts';

const [subject, ...rest] = process.argv.slice(2);
const subjects: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  scheduling: benchScheduling,
  'first-answers': benchFirstAnswers,
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
const names = Object.keys(subjects).join(', ');
const bench = subjects[subject ?? ''];
if (bench !== undefined) await bench(rest);
else if (subject === '--help' || subject === '-h')
  console.log(`usage: npm run bench -- SUBJECT [flags]\n  SUBJECT is one of: ${names}; SUBJECT --help lists its flags`);
else
  refuseFlags(
    `${subject === undefined ? 'nothing to measure is named' : `"${subject}" is not known`}, wanted one of: ${names}`,
  );
