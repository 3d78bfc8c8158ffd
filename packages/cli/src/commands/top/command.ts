import { buildCommand } from '@stricli/core';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import type { TopFlags } from './flags.ts';

export const topCommand = buildCommand<TopFlags>({
  docs: {
    brief:
      'Watch nodes by pool with their use, image, age, price and state; rollouts; what holds nodes; pods that wait',
    fullDescription:
      'Keys: 1 to 4 or Tab choose a view, arrows, Space and Page keys scroll, q quits. Without a terminal it prints the view once. NO_COLOR leaves out colours.',
  },
  parameters: {
    flags: {
      once: { kind: 'boolean', default: false, withNegated: false, brief: 'Print the view once, with all its lines' },
      view: {
        kind: 'enum',
        values: ['nodes', 'rollouts', 'blockers', 'pods'],
        default: 'nodes',
        brief: 'The view to begin with',
      },
      ...clusterFlags,
      ...schedulingFlags,
    },
  },
  loader: async () => (await import('./top.ts')).showTop,
});
