import type { BootedMachine } from '@nodewright/aws-endpoints';
import { type Bootstrap, isBootstrap, type NoBootstrap } from './bootstrap.ts';
import { bootstrapOfScript } from './bootstrap-script.ts';
import { bootstrapOfSettings } from './bottlerocket.ts';
import { readHugePages } from './huge-pages.ts';
import { readKubeletFlags, shellWords } from './kubelet-flags.ts';
import { mimeParts, type ReceivedUserDataPart } from './mime.ts';
import { bootstrapOfNodeConfigs } from './nodeadm.ts';

/**
 * What a machine's image makes of its user data. An image of no known release is taken for what its
 * user data is written for.
 */
export function readUserData(machine: Pick<BootedMachine, 'userData' | 'release'>): Bootstrap | NoBootstrap {
  const { userData, release } = machine;
  if (release?.family === 'Bottlerocket') return bootstrapOfSettings(userData);
  if (release?.family.startsWith('Windows') === true) return readPowerShell(userData);
  const found = readLinuxParts(mimeParts(userData), machine);
  if (!isBootstrap(found)) return found;
  const hugePages = mimeParts(userData)
    .map(({ body }) => readHugePages(body))
    .findLast((pages) => pages !== undefined);
  return { ...found, ...(hugePages !== undefined && { hugePages }) };
}

function readLinuxParts(
  parts: readonly ReceivedUserDataPart[],
  { userData, release }: Pick<BootedMachine, 'userData' | 'release'>,
): Bootstrap | NoBootstrap {
  const nodeConfigs = parts.filter(({ contentType }) => contentType !== 'text/x-shellscript');
  if (release?.family === 'AL2023') return readNodeConfigs(nodeConfigs.map(({ body }) => body));
  const script = parts.map(({ body }) => bootstrapOfScript(body)).findLast((found) => found !== undefined);
  if (script !== undefined) return script;
  if (release === undefined && !/^\s*\[settings/m.test(userData)) {
    return readNodeConfigs(nodeConfigs.map(({ body }) => body));
  }
  return release === undefined
    ? bootstrapOfSettings(userData)
    : { because: 'no part of the user data calls /etc/eks/bootstrap.sh' };
}

const readNodeConfigs = (texts: readonly string[]): Bootstrap | NoBootstrap =>
  bootstrapOfNodeConfigs(texts) ?? { because: 'the user data holds no NodeConfig document' };

function readPowerShell(script: string): Bootstrap | NoBootstrap {
  const call = /EKSBootstrapScriptFile[^\n]*-EKSClusterName\s+'?([^'\s]+)'?[^\n]*/.exec(script);
  if (call === null) return { because: 'no part of the user data calls Start-EKSBootstrap.ps1' };
  const flags = /-KubeletExtraArgs\s+'([^']*)'/.exec(call[0])?.[1] ?? '';
  return { labels: {}, taints: [], ...readKubeletFlags(shellWords(flags)), clusterName: call[1] ?? '' };
}

/** Returns the name of the cluster that the user data of a machine joins. */
export function readClusterName(machine: Pick<BootedMachine, 'userData' | 'release'>): string | undefined {
  const found = readUserData(machine);
  return isBootstrap(found) ? found.clusterName : undefined;
}
