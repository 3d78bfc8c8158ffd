import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const aPool = (more: string): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  ${more}
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
`;
const aScenario = 'apiVersion: nodewright.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nspec: {steps: []}\n';

/** A folder with an empty one, and files that are each something else than what is asked for. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'refused-lines-'));
  for (const name of ['empty', 'full']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'full', 'problem.json'), '{"instanceTypes":[],"nodePools":[],"pods":[]}');
  writeFileSync(join(folder, 'broken.yaml'), 'a: [\n');
  writeFileSync(join(folder, 'other.json'), '{"kind":"x"}');
  writeFileSync(join(folder, 'two.yaml'), 'a: 1\n---\n- b\n');
  writeFileSync(join(folder, 'pool.yaml'), aPool('weight: 1'));
  writeFileSync(join(folder, 'heavy.yaml'), aPool('weight: 1000'));
  writeFileSync(join(folder, 'scenario.yaml'), aScenario);
  writeFileSync(join(folder, 'plain.json.gz'), '{}');
  writeFileSync(join(folder, 'cut.json.gz'), gzipSync('{"kind":"x"}').subarray(0, 15));
  writeFileSync(join(folder, 'problem.json'), '{"instanceTypes":[],"nodePools":[],"pods":[]}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A word that begins with `./` is in the folder. */
const inFolder = (text: string): string => text.replaceAll(/(?<=^| )\.\//g, `${folder}/`);

describe('wrong input ends with 2, one message that names it, and nothing on standard output', () => {
  test.each([
    ['convert -f ./none.yaml', './none.yaml: there is no such file or folder'],
    ['convert -f ./empty', './empty: there is no .yaml, .yml or .json file in this folder'],
    ['convert -f ./broken.yaml', './broken.yaml:'],
    ['convert -f ./two.yaml', './two.yaml: document 1: apiVersion is missing; a text is needed'],
    ['convert -f ./two.yaml', './two.yaml: document 2 is a list; an object with apiVersion and kind is needed'],
    ['lint', 'nothing to lint: give manifests with -f FILE, -f DIR or -f -'],
    ['lint -f ./none.yaml', './none.yaml: there is no such file or folder'],
    ['lint -f ./empty', './empty: there is no .yaml, .yml or .json file in this folder'],
    ['lint -f ./heavy.yaml', './heavy.yaml: NodePool default: spec.weight must be at most 100'],
    ['diff', 'no change is given: name manifests with -f FILE'],
    ['diff -f ./empty', './empty: no .yaml, .yml or .json file is in this folder'],
    ['catalogue import', 'name files with --types or --prices'],
    ['catalogue import --types ./none.json', './none.json: there is no such file or folder'],
    ['catalogue import --prices ./broken.yaml', './broken.yaml:'],
    ['catalogue import --types ./other.json', './other.json: has no list InstanceTypes; write it with aws ec2'],
    ['catalogue import --prices ./other.json', './other.json: has neither PriceList nor products; write it with aws'],
    ['schema nope', 'there is no schema of "nope"; there are scenario, CapacityBuffer,'],
    ['forecast --seeds 0', '--seeds: at least one run is needed'],
    ['forecast --snapshot ./none.json', '--snapshot ./none.json: there is no such file or folder'],
    ['forecast --snapshot ./other.json', '--snapshot ./other.json: holds a x without apiVersion, no Snapshot'],
    [
      'forecast --snapshot ./pool.yaml',
      '--snapshot ./pool.yaml: holds no JSON, compressed or not; `nodewright snapshot`',
    ],
    ['forecast --snapshot ./empty', '--snapshot ./empty: is a folder, a file is needed'],
    [
      'forecast -f ./heavy.yaml',
      './heavy.yaml: NodePool.karpenter.sh "default" is invalid: spec.weight: Invalid value: 1000',
    ],
    ['explain pod a/b/c', 'a pod must be named as name or namespace/name, not "a/b/c"'],
    ['manifests --values ./none.yaml', './none.yaml: there is no such file or folder'],
    ['manifests --values ./empty', './empty: is a folder, a file is needed'],
    ['manifests --values ./two.yaml', './two.yaml: has 2 documents, values are one'],
    ['manifests --values ./broken.yaml', './broken.yaml: Flow sequence in block collection'],
    ['manifests --values ./other.json', './other.json: kind: there is no such field; there are name, namespace,'],
    ['images --family AL9', '--family: must be one of AL2, AL2023, Bottlerocket'],
    ['images --family AL9 --kubeconfig ./none', '--family: must be one of AL2, AL2023, Bottlerocket'],
    ['images --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['explain node x --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['nodegroup list --kubeconfig ./empty', '--kubeconfig ./empty: is a folder, a file is needed'],
    ['rollout list --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['snapshot --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['takeover check --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['top --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['ui --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    [
      'simulate',
      'nothing to simulate: give manifests with -f FILE, a cluster with --kubeconfig FILE, or --problem FILE',
    ],
    ['simulate --kubeconfig ./none', '--kubeconfig ./none: there is no such file or folder'],
    ['simulate -f ./two.yaml', './two.yaml: document 1: kind is missing; a text is needed'],
    [
      'simulate -f ./heavy.yaml',
      './heavy.yaml: NodePool.karpenter.sh "default" is invalid: spec.weight: Invalid value: 1000',
    ],
    [
      'simulate -f ./pool.yaml --remove-node x',
      'there is no node x: no nodes were given; add their manifests or --kubeconfig',
    ],
    [
      'simulate -f ./pool.yaml --instance-types ./other.json',
      './other.json: instanceTypes must be a list, not missing',
    ],
    [
      'simulate -f ./pool.yaml --save-problem ./none/x.json',
      '--save-problem ./none/x.json: there is no such file or folder',
    ],
    ['simulate --problem ./problem.json --stats ./empty', '--stats ./empty: is a folder, a file is needed'],
    ['simulate --problem ./full --out ./other.json/x', '--out ./other.json/x: a part of its path is no folder'],
    ['simulate --problem ./plain.json.gz', './plain.json.gz: is not compressed with gzip, though its name says so'],
    ['simulate --problem ./cut.json.gz', './cut.json.gz: is cut off: the end of its compressed text is missing'],
    ['simulate --problem ./broken.yaml', 'a problem is written in JSON, manifests are given with -f'],
    ['simulate --out ./solutions', '--out goes with --problem DIR'],
    ['simulate --problem ./none.json', './none.json: there is no such file or folder'],
    ['simulate --problem ./other.json', './other.json: instanceTypes must be a list, not missing'],
    ['simulate --problem ./empty', 'is a folder: say with --out DIR where the solutions go'],
    ['simulate --problem ./empty --out ./solutions', './empty: there is no .json file in this folder'],
    ['simulate --problem ./other.json --remove-node a', '--remove-node does not go with --problem'],
    ['simulate --problem ./other.json --ignore-preferences', '--ignore-preferences does not go with --problem'],
    ['simulate -f ./empty', './empty: no .yaml, .yml or .json file is in this folder'],
    ['sandbox --with-workload-controllers', '--with-workload-controllers is for --kubeconfig'],
    ['sandbox --iam-policy ./none.json', 'none.json: there is no such file or folder'],
    ['sandbox --iam-policy ./other.json', './other.json: Version: must be 2012-10-17'],
    ['sandbox --releases ./none.json', '--releases ./none.json: there is no such file or folder'],
    ['sandbox --releases ./other.json', '--releases ./other.json: the release feed is not usable:'],
    ['sandbox --kubernetes-version 1.1', '--kubernetes-version 1.1: there are no images of it; there are of 1.22 to'],
    ['sandbox repair ./empty', './empty has no state.jsonl; name the directory of a sandbox'],
    ['sandbox clock advance', 'clock advance: say how much (10d) or --until when (2024-02-10T16:00:00Z), one of them'],
    ['sandbox clock advance 1h --until 2024-02-10T16:00:00Z', 'clock advance: say how much (10d) or --until when'],
    ['test', 'name a scenario file or a folder; `nodewright test init` writes a first one'],
    ['test ./none.yaml', './none.yaml: there is no such file or folder'],
    ['test ./empty', './empty: there is no scenario, which is a YAML document with kind: Scenario'],
    ['test ./pool.yaml', './pool.yaml:1:1: there is no scenario, which is a YAML document with kind: Scenario'],
    ['test ./broken.yaml', './broken.yaml:2:1: no YAML: Flow sequence in block collection'],
    ['test ./scenario.yaml --seeds 2 --seed 1', '--seeds and --seed exclude each other'],
    ['test init ./none', './none: there is no such file or folder'],
    ['test init ./empty', './empty: there is no NodePool; name the files or folders that have yours'],
    ['test incidents R99', 'there is no incident "R99"; `nodewright test incidents` plays all of them, and names them'],
    ['controller --kubeconfig ./none', '--cluster-name: is required, here or as CLUSTER_NAME'],
    ['sandbox --kubeconfig ./none', '--kubeconfig ./none: there is no such file'],
    ['sandbox --kubeconfig ./broken.yaml', '--kubeconfig ./broken.yaml: unexpected end of the stream'],
    ['sandbox --kubeconfig ./none --scenario managing-amis', '--scenario needs the embedded cluster'],
    ['sandbox --kubeconfig ./none --ui-port 0', '--ui-port shows the embedded cluster'],
    ['sandbox --kubeconfig ./none --speed 10', '--speed is 10, but the cluster of --kubeconfig lives in real time'],
  ])('%s', async (line, message) => {
    const answer = await type(...line.split(' ').map(inFolder));
    expect(answer).toMatchObject({ status: 2, out: '', err: expect.stringContaining(inFolder(message)) });
    expect(answer.err).not.toMatch(/^ {4}at /m);
  });
});

/** The library that reads command lines ends with a number below 0, which the process turns into 2. */
describe('wrong usage is told with the flag, its value and what would be right', () => {
  test.each([
    ['nope', 'No command registered for `nope`'],
    ['explain nope x', 'No command registered for `nope`, did you mean `node`?'],
    ['explain node', 'Expected argument for name'],
    ['crds nope', 'Too many arguments, expected 0 but encountered "nope"'],
    ['crds --outptu x', 'there is no flag --outptu; did you mean --output?'],
    ['iam-policy --account 12', 'there is no flag --account; did you mean --account-id?'],
    ['iam-policy --region x', 'region: must be an AWS region such as us-east-1, not "x"'],
    ['iam-policy --cluster-name a_b', 'cluster-name: must be letters, digits and dashes, at most 100, not "a_b"'],
    ['forecast --for -1h', 'for: must be a duration such as 30m, 24h or 10d, not "-1h"'],
    ['forecast --seeds 1.5', 'seeds: must be a whole number from 0, not "1.5"'],
    ['forecast -o xml', 'xml is not one of (table|json|yaml|html|md)'],
    ['forecast --release foo', 'release: must be FAMILY=VERSION with a family of AL2, AL2023, Bottlerocket'],
    ['forecast --update-group x=', 'update-group: must be the name of a managed node group, or NAME=RELEASE, not "x="'],
    ['images --kubernetes-version 1', 'kubernetes-version: must be a Kubernetes minor version such as 1.29, not "1"'],
    ['nodegroup upgrade x --timeout 1', 'timeout: must be a duration such as 30m, 24h or 10d, not "1"'],
    ['rollout watch --timeout x', 'timeout: must be a duration such as 30m, 24h or 10d, not "x"'],
    ['rollout halt', 'Expected input for flag --reason'],
    ['pause --for abc --reason x', 'for: must be a duration such as 30m, 24h or 10d, not "abc"'],
    ['takeover run --timeout 5', 'timeout: must be a duration such as 30m, 24h or 10d, not "5"'],
    ['preflight', 'Expected input for flag --kubernetes-version'],
    ['preflight --kubernetes-version 1.x', 'must be a Kubernetes minor version such as 1.29, not "1.x"'],
    ['sandbox --speed 0', 'speed: must be a number above 0, not "0"'],
    ['sandbox --zones x', 'zones: must be zone names such as us-east-1a separated by commas; "x" is none'],
    ['sandbox --aws-port 99999', 'aws-port: must be a port from 0 to 65535 (0: any free one), not "99999"'],
    ['sandbox --start-time yesterday', 'start-time: must be a time such as 2024-01-28T16:00:00Z, not "yesterday"'],
    ['sandbox --scenario nope', '--scenario: must be one of managed-node-group, managing-amis, native-ami-versioning,'],
    ['sandbox --update-quiet 5', 'update-quiet: must be a duration such as 30m, 24h or 10d, not "5"'],
    ['sandbox clock advance abc', 'must be a duration such as 30m, 24h or 10d, not "abc"'],
    ['sandbox clock speed 0', 'must be a number above 0, not "0"'],
    ['sandbox fault add stale-describes --lag 5', 'lag: must be a duration such as 30m, 24h or 10d, not "5"'],
    ['story --story nope', 'story: nope is not one of (upgrade|rollout)'],
    ['test ./scenario.yaml --seeds 0', 'seeds: must be at least 1, not "0"'],
    ['test ./scenario.yaml --parallel 0', 'parallel: must be at least 1, not "0"'],
    ['test ./scenario.yaml --fuzz 0', 'fuzz: must be at least 1, not "0"'],
    ['test ./scenario.yaml --seed x', 'seed: must be a whole number from 0, not "x"'],
    ['ui --port x', 'port: must be a whole number from 0, not "x"'],
    ['completion tcsh', 'shell: tcsh is not one of (bash|zsh|fish)'],
  ])('%s', async (line, message) => {
    const answer = await type(...line.split(' ').map(inFolder));
    expect(answer).toMatchObject({ out: '', err: expect.stringContaining(message) });
    expect([-4, -5]).toContain(answer.status);
    expect(answer.err).not.toMatch(/^ {4}at /m);
  });
});
