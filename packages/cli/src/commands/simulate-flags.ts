import { buildChoiceParser, buildCommand } from '@stricli/core';

export type SimulateFlags = {
  readonly problem?: string;
  readonly out?: string;
  readonly stats?: string;
  readonly output?: 'json';
};

const path = (text: string): string => text;

export const simulateCommand = buildCommand<SimulateFlags>({
  docs: { brief: 'Tell what a set of pods would launch, offline: nodes, prices, and why not' },
  parameters: {
    flags: {
      problem: {
        kind: 'parsed',
        parse: path,
        optional: true,
        placeholder: 'FILE|DIR',
        brief: 'Solve a scheduling problem (.json or .json.gz), or with --out every one of a folder',
      },
      out: {
        kind: 'parsed',
        parse: path,
        optional: true,
        placeholder: 'DIR',
        brief: 'Write one solution per problem here',
      },
      stats: {
        kind: 'parsed',
        parse: path,
        optional: true,
        placeholder: 'FILE',
        brief: 'Write what solving took: solveMs and peakRssBytes',
      },
      output: {
        kind: 'parsed',
        parse: buildChoiceParser(['json']),
        optional: true,
        brief: 'json: the solution in the interchange format',
      },
    },
    aliases: { o: 'output' },
  },
  loader: async () => (await import('./simulate.ts')).simulate,
});
