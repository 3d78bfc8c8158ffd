/**
 * Compares forecasts with the runs that follow, on random clusters: a cluster comes up and is read, then a change of every
 * pool is played on the cluster itself and on the one that is restored from the snapshot, with the same seed. Nodes, pods,
 * their order and their instants have to be equal.
 *
 * `tsx --conditions=source scripts/forecast-laws.ts [--clusters 100] [--seed S]`; the status is 1 when some differ.
 */
import { parseArgs } from 'node:util';
import { playBoth } from '../scenarios/support/forecast-law.ts';

const { values } = parseArgs({
  options: { clusters: { type: 'string', default: '100' }, seed: { type: 'string', default: 'forecasts' } },
});

let different = 0;
for (let nth = 1; nth <= Number(values.clusters); nth += 1) {
  const seed = `${values.seed}-${nth}`;
  const { ran, foreseen } = await playBoth(seed);
  const at = ran.findIndex((line, index) => line !== foreseen[index]);
  if (at === -1 && ran.length === foreseen.length) continue;
  different += 1;
  console.log(`${seed}: line ${at + 1}: ran ${ran[at] ?? 'nothing'}, foreseen ${foreseen[at] ?? 'nothing'}`);
}
console.log(`${different} of ${values.clusters} clusters went on otherwise than was foreseen`);
process.exitCode = different === 0 ? 0 : 1;
