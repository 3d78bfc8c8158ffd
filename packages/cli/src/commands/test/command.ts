import { buildCommand, buildRouteMap } from '@stricli/core';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { parseCount, parsePlainText, parseWholeNumber, positiveNumber } from '../../terminal/parsers.ts';
import type { IncidentFlags, TestFlags } from './flags.ts';

const optionalText = { kind: 'parsed', parse: parsePlainText, optional: true } as const;
const optionalNumber = { kind: 'parsed', parse: parseWholeNumber, optional: true } as const;
const optionalCount = { kind: 'parsed', parse: parseCount, optional: true } as const;

const playFlags = {
  seeds: { ...optionalCount, placeholder: 'N', brief: 'Play each scenario with the seeds 1 to N [as its file says]' },
  seed: { ...optionalNumber, placeholder: 'S', brief: 'Play each scenario with this seed alone' },
  filter: { ...optionalText, placeholder: 'TEXT', brief: 'Only scenarios whose name has this text' },
  parallel: { ...optionalCount, placeholder: 'N', brief: 'How many play at once [one for each processor]' },
  failFast: { kind: 'boolean', default: false, withNegated: false, brief: 'Stop after the first failure' },
  junit: { ...optionalText, placeholder: 'FILE', brief: 'Write the results as JUnit XML' },
  keep: {
    ...optionalText,
    placeholder: 'DIR',
    brief: 'Leave the cluster of each failure, at its instant, for `nodewright sandbox --data-dir`',
  },
  open: { ...optionalText, placeholder: 'FILE', brief: 'Write the timeline of the first failure, or play, as HTML' },
  wire: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Play over ports, with the controller as a process of its own',
  },
  controller: {
    ...optionalText,
    placeholder: 'external|COMMAND',
    brief:
      'Play over ports with another controller: one that connects by itself, or a command that is started for each play',
  },
  speed: {
    kind: 'parsed',
    parse: positiveNumber,
    optional: true,
    brief: 'With --controller: seconds of the cluster in a second of yours [1]',
  },
  watch: { kind: 'boolean', default: false, withNegated: false, brief: 'Play again whenever a file changes' },
  output: { ...outputFlag, brief: 'json or yaml: kind ScenarioReport' },
} as const;

const fuzzFlag = {
  ...optionalCount,
  placeholder: 'N',
  brief: 'Play N random histories in the place of the steps, and write the smallest that fails as a file',
} as const;

const runTestsCommand = buildCommand<TestFlags, string[]>({
  docs: {
    brief: 'Play scenario files against an embedded EKS: what your NodePools, budgets and policies do, offline',
    fullDescription:
      'PATH is a file of kind Scenario, or a folder with some. docs/testing.md tells how to write one. Ends with 0 when every expectation holds, 1 when one does not, 2 when a file is wrong.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { parse: parsePlainText, placeholder: 'PATH', brief: 'Scenario files, or folders of them' },
    },
    flags: { ...playFlags, fuzz: fuzzFlag },
    aliases: outputAliases,
  },
  loader: async () => (await import('./run-tests.ts')).runTests,
});

const incidentsCommand = buildCommand<IncidentFlags, string[]>({
  docs: {
    brief: 'Play incidents of others: without a policy, and with the standard preset',
    fullDescription:
      'NAME is an id such as R4; without one all are played. With --manifests your NodePools, EC2NodeClasses and policies take the place of those of the library, and the result says how your cluster would have fared.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { parse: parsePlainText, placeholder: 'NAME', brief: 'Ids of incidents: R1, R4, ...' },
    },
    flags: {
      ...playFlags,
      manifests: {
        ...optionalText,
        placeholder: 'FILE|DIR',
        brief: 'Your NodePools, EC2NodeClasses and policies in the place of those of the library',
      },
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./incidents.ts')).runIncidents,
});

const initCommand = buildCommand<object, string[]>({
  docs: {
    brief: 'Write a first scenario for the manifests that are there',
    fullDescription:
      'Looks for NodePools below PATH [.], and writes nodewright.scenario.yaml beside them. PATH - is standard input. A scenario that is there stays as it is.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        parse: parsePlainText,
        placeholder: 'PATH',
        brief: 'Manifests: files, folders, or - for standard input',
      },
    },
    flags: {},
  },
  loader: async () => (await import('./init.ts')).writeFirstScenario,
});

/** A process that plays what its parent sends. */
const playPartCommand = buildCommand({
  docs: { brief: 'Play what a parent process sends' },
  parameters: {},
  loader: async () => (await import('./workers/play-part.ts')).playPart,
});

/** `nodewright test`. */
export const testCommand = buildRouteMap({
  routes: { run: runTestsCommand, incidents: incidentsCommand, init: initCommand, 'play-part': playPartCommand },
  defaultCommand: 'run',
  docs: {
    brief: 'Test NodePools, budgets and policies with scenario files, offline',
    hideRoute: { 'play-part': true },
  },
});
