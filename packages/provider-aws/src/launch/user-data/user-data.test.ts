import type { AmiFamily, NodeClaim } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import type { BootstrapSettings } from './bootstrap.ts';
import { parseMime } from './mime.ts';
import { parseToml, printToml } from './toml.ts';
import { bootLabels, bootTaints, userData } from './user-data.ts';

const aBootstrap = (different: Partial<BootstrapSettings> = {}): BootstrapSettings => ({
  clusterName: 'demo',
  cluster: {
    endpoint: 'https://cluster.invalid',
    certificateAuthority: 'Y2E=',
    serviceCidr: '10.100.0.0/16',
    ipFamily: 'ipv4',
  },
  labels: { team: 'my-team', 'karpenter.sh/nodepool': 'default' },
  taints: [
    { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
    { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  ],
  maxPods: 29,
  kubelet: {},
  ...different,
});

const parts = (family: AmiFamily, different: Partial<BootstrapSettings> = {}) =>
  parseMime(userData(family, aBootstrap(different)));

describe('user data of AL2', () => {
  test('calls the bootstrap script with flags for the kubelet', () => {
    const [part] = parts('AL2');
    expect(part?.headers).toEqual(['Content-Type: text/x-shellscript; charset="us-ascii"']);
    expect(part?.body).toContain(
      `/etc/eks/bootstrap.sh 'demo' --apiserver-endpoint 'https://cluster.invalid' --b64-cluster-ca 'Y2E=' --use-max-pods false ` +
        `--kubelet-extra-args '--node-labels="karpenter.sh/nodepool=default,team=my-team" ` +
        `--register-with-taints="dedicated=db:NoSchedule,karpenter.sh/unregistered:NoExecute" --max-pods=29'`,
    );
  });

  test('passes kubelet settings on, grace times as Go prints them', () => {
    const kubelet = {
      clusterDNS: ['10.0.0.10'],
      kubeReserved: { memory: '1Gi', cpu: '100m' },
      evictionHard: { 'memory.available': '5%' },
      evictionSoftGracePeriod: { 'memory.available': '2m' },
      cpuCFSQuota: false,
    };
    const [part] = parts('AL2', { kubelet });
    for (const argument of [
      "--dns-cluster-ip '10.0.0.10'",
      '--kube-reserved="cpu=100m,memory=1Gi"',
      '--eviction-hard="memory.available<5%"',
      '--eviction-soft-grace-period="memory.available=2m0s"',
      '--cpu-cfs-quota=false',
    ]) {
      expect(part?.body).toContain(argument);
    }
  });

  test('puts the own script of the user first', () => {
    const found = parts('AL2', { custom: '#!/bin/bash\necho hello' });
    expect(found.map(({ body }) => body.includes('echo hello'))).toEqual([true, false]);
  });

  test('takes an archive of the user apart and keeps the headers', () => {
    const custom =
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: text/cloud-config\nX-Own: 1\n\nruncmd: []\n--B--\n';
    const found = parts('AL2', { custom });
    expect(found[0]).toEqual({ headers: ['Content-Type: text/cloud-config', 'X-Own: 1'], body: 'runcmd: []\n' });
    expect(() => parts('AL2', { custom: 'MIME-Version: 1.0\n\n' })).toThrow(
      'userData is a MIME archive without a boundary',
    );
  });

  test('sets up the instance store when it is asked to', () => {
    expect(parts('AL2', { instanceStorePolicy: 'RAID0' })[0]?.body).toContain('--local-disks raid0');
  });
});

describe('user data of AL2023', () => {
  test('is a NodeConfig for nodeadm', () => {
    const [part] = parts('AL2023', { kubelet: { podsPerCore: 3 } });
    expect(part?.headers).toEqual(['Content-Type: application/node.eks.aws']);
    for (const line of [
      'kind: NodeConfig',
      'name: demo',
      'apiServerEndpoint: https://cluster.invalid',
      'cidr: 10.100.0.0/16',
      'maxPods: 29',
      'podsPerCore: 3',
      'key: karpenter.sh/unregistered',
      `- --node-labels="karpenter.sh/nodepool=default,team=my-team"`,
    ]) {
      expect(part?.body).toContain(line);
    }
  });

  test('tells a NodeConfig of the user from a script', () => {
    const types = (custom: string) => parts('AL2023', { custom }).map(({ headers }) => headers[0]);
    expect(types('apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n')[0]).toBe(
      'Content-Type: application/node.eks.aws',
    );
    expect(types('#!/bin/bash\necho hello: world')[0]).toBe('Content-Type: application/node.eks.aws');
    expect(types('set -e\necho hello')[0]).toContain('text/x-shellscript');
  });
});

describe('user data of Bottlerocket', () => {
  test('keeps what the controller does not know, to the value', () => {
    const custom = `
      [future]
      share = 1.0
      big = 9223372036854775807
      since = 2024-01-28T16:00:00Z
      [[future.lists]]
      at = 1
      [[future.lists]]
      at = 2
      [settings.kubernetes]
      future-key = "kept"
      max-pods = 5
      pod-pids-limit = 1_000
      [settings.kubernetes.future-table.inner]
      list = [1, 2.0, "three"]
      [settings.kubernetes.credential-providers.ecr-credential-provider]
      enabled = true
      [settings.network]
      hostname = "a"`;
    const text = userData('Bottlerocket', aBootstrap({ custom }));
    for (const line of ['share = 1.0', 'big = 9223372036854775807', 'max-pods = 29', 'pod-pids-limit = 1000'])
      expect(text.split('\n')).toContain(line);
    const theirs = parseToml(custom);
    const { future, settings: found } = parseToml(text) as Record<string, Record<string, Record<string, unknown>>>;
    expect(future).toEqual(theirs['future']);
    expect(found?.['network']).toEqual({ hostname: 'a' });
    expect(found?.['kubernetes']).toMatchObject({
      'future-key': 'kept',
      'future-table': { inner: { list: [1n, 2, 'three'] } },
      'credential-providers': { 'ecr-credential-provider': { enabled: true } },
    });
  });

  const settings = (different: Partial<BootstrapSettings> = {}) =>
    parseToml(userData('Bottlerocket', aBootstrap(different)));

  test('is TOML with what the node must know', () => {
    expect(settings()).toEqual({
      settings: {
        kubernetes: {
          'api-server': 'https://cluster.invalid',
          'cluster-certificate': 'Y2E=',
          'cluster-name': 'demo',
          'max-pods': 29n,
          'node-labels': { 'karpenter.sh/nodepool': 'default', team: 'my-team' },
          'node-taints': { dedicated: ['db:NoSchedule'], 'karpenter.sh/unregistered': [':NoExecute'] },
        },
      },
    });
  });

  test('keeps what the user sets, but for what the controller knows better', () => {
    const custom = `
      [settings.host-containers.admin]
      enabled = true
      [settings.kubernetes]
      cluster-name = "other"
      log-level = 4
      [settings.kubernetes.node-labels]
      own = "1"
      team = "x"
      [settings.kubernetes.node-taints]
      gone = "v:NoSchedule"`;
    const { settings: found } = settings({ custom }) as { settings: Record<string, Record<string, unknown>> };
    expect(found['host-containers']).toEqual({ admin: { enabled: true } });
    expect(found['kubernetes']).toMatchObject({
      'cluster-name': 'demo',
      'log-level': 4n,
      'node-labels': { own: '1', team: 'my-team', 'karpenter.sh/nodepool': 'default' },
    });
    expect(Object.keys(found['kubernetes']?.['node-taints'] ?? {})).not.toContain('gone');
  });

  test('has strings in single quotes where nothing speaks against it', () => {
    const custom = `settings.motd = "it's"`;
    const lines = userData('Bottlerocket', aBootstrap({ custom })).split('\n');
    expect(lines).toContain("'karpenter.sh/nodepool' = 'default'");
    expect(lines).toContain(`motd = "it's"`);
  });

  test('is refused when the user data is no TOML', () => {
    expect(() => settings({ custom: '#!/bin/bash' })).not.toThrow();
    expect(() => settings({ custom: '[settings\nx' })).toThrow('userData is no TOML, line 1: illegal character in key');
  });
});

test('TOML survives printing and reading', () => {
  const table = {
    a: 'x "quoted" \\ \n',
    n: 1.5,
    flag: false,
    list: [['a', 'b'], []],
    inner: { 'dotted.key/x': { deep: 1n }, empty: {} },
  };
  expect(parseToml(printToml(table))).toEqual(table);
  expect(parseToml('x = \'lit\\n\' # remark\ny = [1, 2,\n 3]\n[[s]]\nk = { a = 1, b.c = "d" }\n[[s]]')).toEqual({
    x: 'lit\\n',
    y: [1n, 2n, 3n],
    s: [{ k: { a: 1n, b: { c: 'd' } } }, {}],
  });
});

test("user data of Windows is one PowerShell block, the user's text first", () => {
  const text = userData(
    'Windows2022',
    aBootstrap({ custom: 'Write-Host hello', kubelet: { clusterDNS: ['10.0.0.10'] } }),
  );
  expect(text.split('\n')).toEqual([
    '<powershell>',
    'Write-Host hello',
    String.raw`[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\Amazon\EKS\Start-EKSBootstrap.ps1"`,
    `& $EKSBootstrapScriptFile -EKSClusterName 'demo' -APIServerEndpoint 'https://cluster.invalid' -Base64ClusterCA 'Y2E=' ` +
      `-KubeletExtraArgs '--node-labels="karpenter.sh/nodepool=default,team=my-team" ` +
      `--register-with-taints="dedicated=db:NoSchedule,karpenter.sh/unregistered:NoExecute" --max-pods=29' -DNSClusterIP '10.0.0.10'`,
    '</powershell>',
  ]);
});

describe('a kubelet', () => {
  const claim = {
    metadata: {
      name: 'c',
      labels: {
        team: 'a',
        'kubernetes.io/arch': 'amd64',
        'node.kubernetes.io/instance-type': 'm5.large',
        'x.k8s.io/y': '1',
        'karpenter.k8s.aws/instance-cpu': '2',
        'mykubernetes.io/z': '1',
      },
    },
    spec: {
      nodeClassRef: { group: 'g', kind: 'k', name: 'n' },
      requirements: [],
      startupTaints: [{ key: 's', effect: 'NoSchedule' }],
    },
  } as const satisfies NodeClaim;

  test('does not label its node in domains that are not its own', () => {
    expect(bootLabels(claim, 'AL2', 'spot')).toEqual({
      team: 'a',
      'karpenter.k8s.aws/instance-cpu': '2',
      'mykubernetes.io/z': '1',
      'karpenter.sh/capacity-type': 'spot',
      'karpenter.sh/do-not-sync-taints': 'true',
    });
  });

  test('registers with the taints of its claim and the one that says it is new', () => {
    expect(bootTaints(claim)).toEqual([
      { key: 's', effect: 'NoSchedule' },
      { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
    ]);
  });
});

describe('the DNS of the cluster', () => {
  const inCluster = (dns: string | undefined, kubelet: BootstrapSettings['kubelet'] = {}) =>
    aBootstrap({ cluster: { ...aBootstrap().cluster, ...(dns === undefined ? {} : { dns }) }, kubelet });
  /** The script or document that the family's agent reads. */
  const textOf = (family: AmiFamily, bootstrap: BootstrapSettings): string =>
    family === 'AL2' || family === 'AL2023'
      ? (parseMime(userData(family, bootstrap)).at(-1)?.body ?? '')
      : userData(family, bootstrap);
  const found = '10.100.0.10';
  const found6 = 'fd00:10::a';

  test.each<readonly [AmiFamily, string, string]>([
    ['AL2', found, `--dns-cluster-ip '${found}'`],
    ['AL2', found6, `--ip-family ipv6 --dns-cluster-ip '${found6}'`],
    ['AL2023', found, `clusterDNS:\n        - ${found}\n`],
    ['AL2023', found6, `clusterDNS:\n        - ${found6}\n`],
    ['Bottlerocket', found, `cluster-dns-ip = '${found}'`],
    ['Bottlerocket', found6, `cluster-dns-ip = '${found6}'`],
    ['Windows2022', found, `-DNSClusterIP '${found}'`],
  ])('is told to nodes of %s: %s', (family, dns, text) => {
    expect(textOf(family, inCluster(dns))).toContain(text);
  });

  test.each<readonly [AmiFamily]>([['AL2'], ['AL2023'], ['Bottlerocket'], ['Windows2022']])(
    'is what spec.kubelet.clusterDNS of a node of %s says',
    (family) => {
      const text = textOf(family, inCluster(found6, { clusterDNS: ['10.0.0.10'] }));
      expect([text.includes('10.0.0.10'), text.includes(found6), text.includes('ipv6')]).toEqual([true, false, false]);
    },
  );

  test('is not told where none is known, and not to custom images', () => {
    expect(textOf('AL2', inCluster(undefined))).not.toContain('--dns-cluster-ip');
    expect(textOf('AL2023', inCluster(undefined))).not.toContain('clusterDNS');
    expect(textOf('Bottlerocket', inCluster(undefined))).not.toContain('cluster-dns-ip');
    expect(textOf('Custom', { ...inCluster(found), custom: 'mine' })).toBe('mine');
  });

  test('is asked for where spec.kubelet.clusterDNS is empty', () => {
    expect(textOf('AL2', inCluster(found, { clusterDNS: [] }))).toContain(found);
  });
});
