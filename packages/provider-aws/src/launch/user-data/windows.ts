import { type BootstrapSettings, clusterDns } from './bootstrap.ts';
import { writeKubeletFlags } from './kubelet-flags.ts';

/** Windows: the user's text, then a call of `Start-EKSBootstrap.ps1`, in one PowerShell block. */
export function windowsUserData(bootstrap: BootstrapSettings): string {
  const custom = bootstrap.custom?.trim() ?? '';
  return [
    '<powershell>',
    ...(custom === '' ? [] : [custom]),
    String.raw`[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\Amazon\EKS\Start-EKSBootstrap.ps1"`,
    `& $EKSBootstrapScriptFile ${windowsBootstrapArguments(bootstrap).join(' ')}`,
    '</powershell>',
  ].join('\n');
}

function windowsBootstrapArguments(bootstrap: BootstrapSettings): readonly string[] {
  const { clusterName, cluster } = bootstrap;
  const [dns] = clusterDns(bootstrap);
  return [
    `-EKSClusterName '${clusterName}'`,
    `-APIServerEndpoint '${cluster.endpoint}'`,
    ...(cluster.certificateAuthority === '' ? [] : [`-Base64ClusterCA '${cluster.certificateAuthority}'`]),
    `-KubeletExtraArgs '${writeKubeletFlags(bootstrap)}'`,
    ...(dns === undefined ? [] : [`-DNSClusterIP '${dns}'`]),
  ];
}
