import { buildApplication, buildRouteMap, FlagNotFoundError, text_en } from '@stricli/core';
import { version } from './build.ts';
import { exitStatusOf } from './terminal/exit-status.ts';
import { catalogueCommand } from './commands/catalogue/command.ts';
import { completionCommand } from './commands/completion/command.ts';
import { controllerCommand } from './commands/controller/command.ts';
import { convertCommand } from './commands/convert/command.ts';
import { crdsCommand } from './commands/crds/command.ts';
import { diffCommand } from './commands/diff/command.ts';
import { explainCommand } from './commands/explain/command.ts';
import { forecastCommand } from './commands/forecast/command.ts';
import { iamPolicyCommand } from './commands/iam-policy/command.ts';
import { imagesCommand } from './commands/images/command.ts';
import { lintCommand } from './commands/lint/command.ts';
import { manifestsCommand } from './commands/manifests/command.ts';
import { nodeGroupCommand } from './commands/nodegroup/command.ts';
import { pauseCommand, resumeCommand } from './commands/pause/command.ts';
import { preflightCommand } from './commands/preflight/command.ts';
import { rolloutCommand } from './commands/rollout/command.ts';
import { sandboxCommand } from './commands/sandbox/command.ts';
import { simulateCommand } from './commands/simulate/command.ts';
import { schemaCommand } from './commands/schema/command.ts';
import { snapshotCommand } from './commands/snapshot/command.ts';
import { storyCommand } from './commands/story/command.ts';
import { takeoverCommand } from './commands/takeover/command.ts';
import { testCommand } from './commands/test/command.ts';
import { topCommand } from './commands/top/command.ts';
import { uiCommand } from './commands/ui/command.ts';
import { mapCommands } from './help/map-commands.ts';
import { appendExamples } from './help/append-examples.ts';
import { shortenUsage } from './help/shorten-usage.ts';

const messageOfFailure = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** Flags are typed in kebab case, so that is how one is proposed. */
const unknownFlag = ({ input, corrections }: FlagNotFoundError): string => {
  const known = corrections.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const hint = known.length === 0 ? 'see --help' : `did you mean ${known.join(' or ')}?`;
  return `there is no flag --${input}; ${hint}`;
};

/** A person reads these: what went wrong, no stack. */
const applicationText = {
  ...text_en,
  exceptionWhileParsingArguments: (failure: unknown): string =>
    failure instanceof FlagNotFoundError ? unknownFlag(failure) : messageOfFailure(failure),
  exceptionWhileRunningCommand: (failure: unknown): string => `error: ${messageOfFailure(failure)}`,
};

const commands = buildRouteMap({
  routes: {
    sandbox: sandboxCommand,
    controller: controllerCommand,
    story: storyCommand,
    simulate: simulateCommand,
    test: testCommand,
    forecast: forecastCommand,
    diff: diffCommand,
    preflight: preflightCommand,
    snapshot: snapshotCommand,
    catalogue: catalogueCommand,
    lint: lintCommand,
    images: imagesCommand,
    explain: explainCommand,
    top: topCommand,
    ui: uiCommand,
    nodegroup: nodeGroupCommand,
    rollout: rolloutCommand,
    pause: pauseCommand,
    resume: resumeCommand,
    convert: convertCommand,
    crds: crdsCommand,
    manifests: manifestsCommand,
    'iam-policy': iamPolicyCommand,
    takeover: takeoverCommand,
    schema: schemaCommand,
    completion: completionCommand,
  },
  docs: { brief: 'Keeps the nodes of Kubernetes clusters on AWS right' },
});

export const createApplication = buildApplication(mapCommands(commands, appendExamples, { changeHelp: shortenUsage }), {
  name: 'nodewright',
  versionInfo: { currentVersion: version },
  scanner: { caseStyle: 'allow-kebab-for-camel' },
  documentation: { caseStyle: 'convert-camel-to-kebab' },
  determineExitCode: exitStatusOf,
  localization: { text: applicationText },
});
