import { expect, test } from 'vitest';
import { OperatorInspection, type RoundDigest } from './inspection.ts';

test('the latest of everything is told, queues by name, and counts are taken anew', () => {
  const inspection = new OperatorInspection();
  expect(inspection.report()).toEqual({ queues: {} });
  let nodes = 1;
  inspection.watchState(() => ({ nodes }));
  inspection.noteLoad('provisioner', { waiting: 1, running: 1, workers: 1 });
  inspection.noteLoad('nodeclaim.lifecycle', { waiting: 0, running: 0, workers: 10 });
  inspection.noteLoad('provisioner', { waiting: 0, running: 0, workers: 1 });
  const round = { pendingPods: 3 } as RoundDigest;
  inspection.noteRound(round);
  nodes = 2;
  const report = inspection.report();
  expect(report).toEqual({
    state: { nodes: 2 },
    round,
    queues: {
      'nodeclaim.lifecycle': { waiting: 0, running: 0, workers: 10 },
      provisioner: { waiting: 0, running: 0, workers: 1 },
    },
  });
  expect(Object.keys(report.queues)).toEqual(['nodeclaim.lifecycle', 'provisioner']);
});
