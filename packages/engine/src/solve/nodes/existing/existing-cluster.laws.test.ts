import * as fc from 'fast-check';
import type { Pod } from '@nodewright/apis';
import { aNode, aPod, someProblem } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { writtenSolution } from '../../../interchange/solution-file.ts';
import type { SchedulingProblem } from '../../problem.ts';
import { schedulePods } from '../../round/schedule.ts';

const zones = ['zone-a', 'zone-b', 'zone-c', 'zone-d'];

/** The pods of a problem as they might run already, dealt out to three nodes that stay or leave. */
function withRunning(problem: SchedulingProblem, deal: readonly number[]): SchedulingProblem {
  const names = ['x', 'y', 'z'];
  const bound = (pod: Pod, name: string): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, name: `${pod.metadata.name}-on-${name}`, uid: `${pod.metadata.uid}-on-${name}` },
    spec: { ...pod.spec, nodeName: name },
    status: { phase: 'Running' },
  });
  const nodes = names.map((name, index) =>
    aNode(name, {
      zone: zones[deal[index] ?? 0] ?? 'zone-a',
      stage: name === 'z' && deal[3] === 0 ? 'inFlight' : 'initialized',
      pods: problem.pods.filter((_, pod) => (pod + (deal[3] ?? 0)) % 4 === index).map((pod) => bound(pod, name)),
    }),
  );
  return { ...problem, nodes: [...problem.nodes, ...nodes] };
}

const problems = () =>
  fc
    .tuple(someProblem(), fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }))
    .map(([problem, deal]) => withRunning(problem, deal));

const solved = (problem: SchedulingProblem) => writtenSolution(schedulePods(problem));

test('a node listed as leaving among the others is as one that is not among them, whatever was asked before', () => {
  fc.assert(
    fc.property(problems(), (problem) => {
      for (const leaving of problem.nodes) {
        const pods = [...problem.pods, ...leaving.pods];
        const without = problem.nodes.filter((state) => state !== leaving);
        expect(solved({ ...problem, leavingNodes: [leaving], pods })).toEqual(
          solved({ ...problem, nodes: without, leavingNodes: [leaving], pods }),
        );
      }
    }),
    { numRuns: 100, seed: 13 },
  );
});

test('what is remembered of a list of nodes is what a new list would tell', () => {
  fc.assert(
    fc.property(problems(), (problem) => {
      const other = aPod('other', { labels: { app: 'app0' }, requests: { cpu: '500m' } });
      solved({ ...problem, pods: [other] });
      expect(solved(problem)).toEqual(solved({ ...problem, nodes: [...problem.nodes] }));
    }),
    { numRuns: 100, seed: 17 },
  );
});
