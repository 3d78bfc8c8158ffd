import { buildCommand } from '@stricli/core';
import { type SettingName, settingNames, settingTable, variableOf } from '../../controller/setting-table.ts';
import type { ControllerFlags } from './flags.ts';
import { parsePlainText } from '../../terminal/parsers.ts';

const optionalSetting = (brief: string) => ({ kind: 'parsed', parse: parsePlainText, optional: true, brief }) as const;

const settingFlags = Object.fromEntries(
  settingNames.map((name) => [name, optionalSetting(`${settingTable[name].brief} (${variableOf(name)})`)]),
) as { readonly [Name in SettingName]: ReturnType<typeof optionalSetting> };

export const controllerCommand = buildCommand<ControllerFlags>({
  docs: {
    customUsage: ['[--kubeconfig FILE] [--context NAME] [--cluster-name NAME] [--clock URL] [SETTINGS]'],
    brief: 'Run the controllers on a cluster and an AWS account',
    fullDescription:
      'Works on any Kubernetes control plane with the CustomResourceDefinitions of `nodewright crds`, and any AWS endpoint. ' +
      'Settings are those of Karpenter, as flags or environment variables. Runs until SIGINT or SIGTERM.',
  },
  parameters: {
    flags: {
      kubeconfig: optionalSetting('Kubeconfig file [KUBECONFIG, then the service account of the pod]'),
      context: optionalSetting('Context of the kubeconfig [the current one]'),
      clock: optionalSetting(
        'Follow the time of a sandbox: the URL in NODEWRIGHT_SANDBOX, with the token in NODEWRIGHT_SANDBOX_TOKEN_FILE [real time]',
      ),
      ...settingFlags,
    },
  },
  loader: async () => (await import('./controller.ts')).runController,
});
