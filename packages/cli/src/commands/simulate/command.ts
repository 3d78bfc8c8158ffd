import { buildCommand } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { manifestAliases, manifestFlag } from '../../reading/manifest-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import type { SimulateFlags } from './flags.ts';
import { parsePlainText } from '../../terminal/parsers.ts';

const optionalPath = { kind: 'parsed', parse: parsePlainText, optional: true } as const;

export const simulateCommand = buildCommand<SimulateFlags>({
  docs: {
    brief: 'Tell what manifests or a scheduling problem would launch, offline: nodes, prices, and why not',
    fullDescription:
      'Tell what manifests or a scheduling problem would launch, offline: nodes, prices, and why not. Which nodes a change of a NodePool or EC2NodeClass would replace: nodewright diff -f FILE',
  },
  parameters: {
    flags: {
      file: manifestFlag('Manifests: NodePools, workloads, pods, nodes'),
      instanceTypes: {
        ...optionalPath,
        placeholder: 'FILE',
        brief: 'Instance types in the interchange format, in place of the built-in catalogue',
      },
      kubeconfig: { ...optionalPath, placeholder: 'FILE', brief: "Add a cluster's NodePools, nodes and pods" },
      removeNode: {
        ...optionalPath,
        placeholder: 'NODE',
        brief: 'What if this node went away',
        ...completeNames('node'),
      },
      saveProblem: { ...optionalPath, placeholder: 'FILE', brief: 'Write the input in the interchange format' },
      ignorePreferences: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Preferred affinities and ScheduleAnyway spreads have no effect',
      },
      ...schedulingFlags,
      problem: {
        ...optionalPath,
        placeholder: 'FILE|DIR',
        brief: 'Solve a scheduling problem (.json or .json.gz), or with --out every one of a folder',
      },
      out: { ...optionalPath, placeholder: 'DIR', brief: 'Write one solution per problem here' },
      stats: {
        ...optionalPath,
        placeholder: 'FILE',
        brief: 'Write what solving took: setupMs, solveMs and peakRssBytes',
      },
      output: { ...outputFlag, brief: 'json or yaml: the solution in the interchange format' },
    },
    aliases: { ...manifestAliases, ...outputAliases },
  },
  loader: async () => (await import('./simulate.ts')).runSimulation,
});
