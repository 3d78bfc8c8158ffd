import type { Random } from '@nodewright/runtime';
import type { SimulatedPolicy } from './history.ts';

/** Draws a policy whose waves fit into a history. */
export const drawPolicy = (random: Random): SimulatedPolicy => ({
  ...drawUsual(random),
  ...drawRare(random),
});

const drawRare = (random: Random): Partial<SimulatedPolicy> => {
  const from = random.integer(240);
  return {
    ...(random.next() < 0.15 && { blackout: { from, to: from + random.pick([20, 90]) } }),
    ...(random.next() < 0.15 && { isApproved: true as const }),
    ...(random.next() < 0.2 && { failureBudget: 1 + random.integer(2) }),
    ...(random.next() < 0.2 && { variants: 'Independent' as const }),
    ...(random.next() < 0.15 && { withoutEvidence: 'Wait' as const }),
    ...(random.next() < 0.25 && { isPromoted: true as const }),
  };
};

const drawUsual = (random: Random): SimulatedPolicy => ({
  preset: random.pick(['cautious', 'standard', 'standard', 'fast']),
  ...(random.next() < 0.15 && { mode: random.pick(['Propose', 'Report'] as const) }),
  waves: random.pick([
    [waveOfHistory('canary', '1', '5m'), waveOfHistory('all', '100%')],
    [waveOfHistory('canary', '1', '10m'), waveOfHistory('some', '30%', '5m'), waveOfHistory('all', '100%')],
    [
      waveOfHistory('canary', '2', '20m'),
      waveOfHistory('half', '50%', '10m'),
      waveOfHistory('most', '80%'),
      waveOfHistory('all', '100%'),
    ],
  ]),
  ...(random.next() < 0.25 && { onHalt: 'Rollback' as const }),
  ...(random.next() < 0.25 && { newTarget: 'Supersede' as const }),
  ...(random.next() < 0.4 && { maxPerHour: 1 + random.integer(6) }),
  ...(random.next() < 0.3 && { maxSurge: 1 + random.integer(2) }),
  ...(random.next() < 0.5 && { minInterval: random.pick(['30s', '5m']) }),
  ...(random.next() < 0.1 && { order: 'TerminateFirst' as const }),
  ...(random.next() < 0.25 && {
    window: { schedule: `${random.integer(60)} * * * *`, duration: random.pick(['10m', '40m']) },
  }),
  ...(random.next() < 0.15 && { maxAge: { soft: random.pick(['2h', '6h']), jitter: '1h' } }),
});

const waveOfHistory = (name: string, nodes: string, soak?: string): NonNullable<SimulatedPolicy['waves']>[number] => ({
  name,
  nodes,
  ...(soak !== undefined && { soak }),
});
