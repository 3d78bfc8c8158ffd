/**
 * Solves problem files and holds nodes and prices against Karpenter's:
 * `npx tsx --conditions=source bench/scheduling/solve.ts FILE... [--ignore-preferences]`.
 * Ends with 1 when an answer needs more nodes, costs more or leaves more pods out.
 */
import { basename } from 'node:path';
import { cheapestPrice, schedule } from '@nodewright/engine';
import type { NewNode } from '@nodewright/engine';
import { readProblem } from './problem-file.ts';
import { referenceAnswers } from './reference.ts';

const ignoresPreferences = process.argv.includes('--ignore-preferences');
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const priceMicroUsd = ({ instanceTypes: [cheapest], requirements }: NewNode): number =>
  cheapest === undefined ? 0 : cheapestPrice(cheapest, requirements);

function solve(path: string) {
  const problem = readProblem(path, ignoresPreferences ? { preferencePolicy: 'Ignore' } : {});
  const start = process.hrtime.bigint();
  const { newNodes, unschedulable } = schedule(problem);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const price = newNodes.map(priceMicroUsd).reduce((sum, each) => sum + each, 0) / 1e6;
  return { nodes: newNodes.length, price, unschedulable: unschedulable.length, seconds };
}

for (const path of paths) {
  const name = `${basename(path).replace(/\.json(\.gz)?$/, '')}${ignoresPreferences ? ' Ignore' : ''}`;
  const answer = solve(path);
  const reference = referenceAnswers[name];
  const isWorse =
    reference !== undefined &&
    (answer.nodes > reference.nodes ||
      answer.price > reference.highestPrice + 0.005 ||
      answer.unschedulable > reference.unschedulable);
  if (isWorse) process.exitCode = 1;
  console.log(JSON.stringify({ problem: name, ...answer, reference, verdict: isWorse ? 'worse' : 'as good' }));
}
