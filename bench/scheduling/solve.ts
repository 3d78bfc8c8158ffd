/**
 * Solves one problem file and prints what came out of it, to be held against other schedulers:
 * `npx tsx bench/scheduling/solve.ts FILE [Respect|Ignore]`.
 */
import { cheapestPrice, schedule } from '@nodewright/engine';
import { readProblem } from './problem-file.ts';

const [path = '', preferencePolicy] = process.argv.slice(2);
const problem = readProblem(
  path,
  preferencePolicy === 'Respect' || preferencePolicy === 'Ignore' ? { preferencePolicy } : {},
);
const start = process.hrtime.bigint();
const { newNodes, existing, unschedulable } = schedule(problem);
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
const microUsd = newNodes.reduce((sum, { instanceTypes: [cheapest], requirements }) => {
  return sum + (cheapest === undefined ? 0 : cheapestPrice(cheapest, requirements));
}, 0);
console.log(
  JSON.stringify({
    pods: problem.pods.length,
    nodes: newNodes.length,
    totalCheapestPrice: microUsd / 1e6,
    onExisting: existing.flatMap(({ pods }) => pods).length,
    unschedulable: unschedulable.length,
    seconds: Number(seconds.toFixed(3)),
  }),
);
