import { type BootstrapSettings, clusterDns } from './bootstrap.ts';
import { writeKubeletFlags } from './kubelet-flags.ts';
import { isMimeArchive, mimeArchive, type UserDataPart, parseMime, shellPart } from './mime.ts';

/** Amazon Linux 2: the user's parts, then a script that calls `/etc/eks/bootstrap.sh`. */
export function al2UserData(bootstrap: BootstrapSettings): string {
  return mimeArchive([...readCustomParts(bootstrap.custom), shellPart(writeBootstrapScript(bootstrap))]);
}

function readCustomParts(custom: string | undefined): readonly UserDataPart[] {
  if (custom === undefined || custom.trim() === '') return [];
  return isMimeArchive(custom) ? parseMime(custom) : [shellPart(custom)];
}

function writeBootstrapScript(bootstrap: BootstrapSettings): string {
  return [
    '#!/bin/bash -xe',
    'exec > >(tee /var/log/user-data.log | logger -t user-data -s 2>/dev/console) 2>&1',
    `/etc/eks/bootstrap.sh ${al2BootstrapArguments(bootstrap).join(' ')}`,
  ].join('\n');
}

/** Name and value are apart by a space: the script cannot read `=`. */
function al2BootstrapArguments(bootstrap: BootstrapSettings): readonly string[] {
  const { clusterName, cluster, instanceStorePolicy } = bootstrap;
  const [dns] = clusterDns(bootstrap);
  return [
    `'${clusterName}'`,
    `--apiserver-endpoint '${cluster.endpoint}'`,
    ...(cluster.certificateAuthority === '' ? [] : [`--b64-cluster-ca '${cluster.certificateAuthority}'`]),
    ...(dns?.includes(':') ? ['--ip-family ipv6'] : []),
    ...(dns === undefined ? [] : [`--dns-cluster-ip '${dns}'`]),
    '--use-max-pods false',
    `--kubelet-extra-args '${writeKubeletFlags(bootstrap)}'`,
    ...(instanceStorePolicy === 'RAID0' ? ['--local-disks raid0'] : []),
  ];
}
