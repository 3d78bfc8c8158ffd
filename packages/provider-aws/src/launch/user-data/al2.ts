import type { Bootstrap } from './bootstrap.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { isMimeArchive, mimeArchive, type MimePart, parseMime, shellPart } from './mime.ts';

/** Amazon Linux 2: the user's parts, then a script that calls `/etc/eks/bootstrap.sh`. */
export function al2UserData(bootstrap: Bootstrap): string {
  return mimeArchive([...customParts(bootstrap.custom), shellPart(script(bootstrap))]);
}

function customParts(custom: string | undefined): readonly MimePart[] {
  if (custom === undefined || custom.trim() === '') return [];
  return isMimeArchive(custom) ? parseMime(custom) : [shellPart(custom)];
}

function script(bootstrap: Bootstrap): string {
  return [
    '#!/bin/bash -xe',
    'exec > >(tee /var/log/user-data.log | logger -t user-data -s 2>/dev/console) 2>&1',
    `/etc/eks/bootstrap.sh ${bootstrapArguments(bootstrap).join(' ')}`,
  ].join('\n');
}

/** Name and value are apart by a space: the script cannot read `=`. */
function bootstrapArguments(bootstrap: Bootstrap): readonly string[] {
  const { clusterName, cluster, instanceStorePolicy } = bootstrap;
  const [dns] = clusterDns(bootstrap);
  return [
    `'${clusterName}'`,
    `--apiserver-endpoint '${cluster.endpoint}'`,
    ...(cluster.certificateAuthority === '' ? [] : [`--b64-cluster-ca '${cluster.certificateAuthority}'`]),
    ...(dns?.includes(':') ? ['--ip-family ipv6'] : []),
    ...(dns === undefined ? [] : [`--dns-cluster-ip '${dns}'`]),
    '--use-max-pods false',
    `--kubelet-extra-args '${kubeletFlags(bootstrap)}'`,
    ...(instanceStorePolicy === 'RAID0' ? ['--local-disks raid0'] : []),
  ];
}

export const clusterDns = ({ kubelet }: Bootstrap): readonly string[] =>
  Array.isArray(kubelet['clusterDNS']) ? kubelet['clusterDNS'].map(String) : [];
