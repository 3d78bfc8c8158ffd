import { writeFileSync } from 'node:fs';
import { simulateRolloutEvidence, type EvidenceRun } from '@nodewright/testkit';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';

/** A share with its 95 % confidence interval (Wilson). */
type Share = { readonly share: number; readonly low: number; readonly high: number };

type Case = Omit<EvidenceRun, 'seed'> & { readonly name: string; readonly runs: number };

const hourly = 25;
const soakHours = 8;

/** A canary of one node among twelve, seven days of history, eight hours of soak. */
const cases = (runs: number): readonly Case[] => [
  { name: 'A/A, 200 starts', runs: runs * 10, broken: 0, background: 0, startsPerHour: hourly, soakHours, peers: 11 },
  {
    name: 'A/A, 1 % of starts fail on both',
    runs: runs * 10,
    broken: 0,
    background: 0.01,
    startsPerHour: hourly,
    soakHours,
    peers: 11,
  },
  {
    name: 'A/A, an outage breaks half of the starts of the last hour on both',
    runs,
    broken: 0,
    background: 0,
    outage: 0.5,
    startsPerHour: hourly,
    soakHours,
    peers: 11,
  },
  {
    name: 'image breaks 5 % of 200 starts, peers clean',
    runs,
    broken: 0.05,
    background: 0,
    startsPerHour: hourly,
    soakHours,
    peers: 11,
  },
  {
    name: 'image breaks 5 % of 40 starts, peers clean',
    runs,
    broken: 0.05,
    background: 0,
    startsPerHour: 5,
    soakHours,
    peers: 11,
  },
  {
    name: 'image breaks every start of 40, peers clean',
    runs,
    broken: 1,
    background: 0,
    startsPerHour: 5,
    soakHours,
    peers: 11,
  },
];

/**
 * How often a rollout halts by mistake, and how often a bad image is found in its canary: the comparison with peers, look
 * by look, on random starts of pods.
 */
export async function benchRollouts(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- rollouts', brief: 'Counts how often a rollout halts by mistake.' },
    {
      runs: { value: 'N', default: '1000', brief: 'rollouts of each case' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const results = cases(readNumberFlag('--runs', values.runs)).map(({ name, runs, ...run }) => {
    let halted = 0;
    let insufficient = 0;
    for (let seed = 0; seed < runs; seed += 1) {
      const outcome = simulateRolloutEvidence({ ...run, seed });
      if (outcome.halted) halted += 1;
      else if (outcome.insufficient) insufficient += 1;
    }
    return { name, runs, halted: intervalOf(halted, runs), insufficient };
  });
  for (const { name, runs, halted, insufficient } of results) {
    const [share, low, high] = [halted.share, halted.low, halted.high].map((each) => `${(each * 100).toFixed(3)} %`);
    console.log(`${name}: ${runs} rollouts, halted ${share} [${low}, ${high}], InsufficientEvidence ${insufficient}`);
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, undefined, 2));
  await Promise.resolve();
}

const z = 1.96;

function intervalOf(hits: number, runs: number): Share {
  const share = hits / runs;
  const centre = share + (z * z) / (2 * runs);
  const width = z * Math.sqrt((share * (1 - share)) / runs + (z * z) / (4 * runs * runs));
  const scale = 1 + (z * z) / runs;
  return { share, low: Math.max(0, (centre - width) / scale), high: Math.min(1, (centre + width) / scale) };
}
