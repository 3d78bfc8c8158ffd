import { expect, test } from 'vitest';
import { readHugePages } from './huge-pages.ts';
import { readUserData } from './read.ts';

test.each([
  ['sudo sysctl -w vm.nr_hugepages=2048', 2048],
  ['sysctl vm.nr_hugepages=1 ; sysctl vm.nr_hugepages=16', 16],
  ['echo 512 > /proc/sys/vm/nr_hugepages', 512],
  ['echo 64 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages', 64],
  ['sysctl -w vm.nr_hugepages=8\necho 4 > /proc/sys/vm/nr_hugepages', 4],
  ['echo "vm.nr_hugepages=2048" >> /etc/sysctl.conf', undefined],
  ['# sysctl -w vm.nr_hugepages=2048', undefined],
  ['sudo cat /proc/sys/vm/nr_hugepages', undefined],
])('%j sets %s huge pages aside', (script, pages) => {
  expect(readHugePages(script)).toBe(pages);
});

test('a script beside the settings of nodeadm sets huge pages aside', () => {
  const part = (type: string, body: string) => `--B\nContent-Type: ${type}\n\n${body}\n`;
  const config = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: sandbox\n';
  const userData = [
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n',
    part('text/x-shellscript; charset="us-ascii"', '#!/bin/bash -e\nsysctl -w vm.nr_hugepages=2048'),
    part('application/node.eks.aws', config),
    '--B--',
  ].join('');
  expect(readUserData({ userData })).toMatchObject({ clusterName: 'sandbox', hugePages: 2048 });
});

test('settings of the kernel of Bottlerocket set huge pages aside', () => {
  const userData =
    '[settings.kubernetes]\ncluster-name = "sandbox"\n[settings.kernel.sysctl]\n"vm.nr_hugepages" = "128"';
  expect(readUserData({ userData })).toMatchObject({ hugePages: 128 });
});
