import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

/** A folder with an empty one, a file that is no YAML, and one that is no problem. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'refused-lines-'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'broken.yaml'), 'a: [\n');
  writeFileSync(join(folder, 'other.json'), '{"kind":"x"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A word that begins with `./` is in the folder. */
const inFolder = (text: string): string => text.replaceAll(/(?<=^| )\.\//g, `${folder}/`);

describe('wrong input ends with 2, one message that names it, and nothing on standard output', () => {
  test.each([
    ['convert -f ./none.yaml', './none.yaml: there is no such file or folder'],
    ['convert -f ./empty', './empty: there is no .yaml, .yml or .json file in this folder'],
    ['convert -f ./broken.yaml', './broken.yaml:'],
    ['lint', 'nothing to lint: give manifests with -f FILE, -f DIR or -f -'],
    ['lint -f ./none.yaml', './none.yaml: there is no such file or folder'],
    ['lint -f ./empty', './empty: there is no .yaml, .yml or .json file in this folder'],
    ['diff', 'no change is given: name manifests with -f FILE'],
    ['diff -f ./empty', './empty: no .yaml, .yml or .json file is in this folder'],
    ['catalogue import', 'name files with --types or --prices'],
    ['catalogue import --types ./none.json', './none.json: there is no such file or folder'],
    ['catalogue import --prices ./broken.yaml', './broken.yaml:'],
    ['schema nope', 'there is no schema of "nope"; there are scenario, CapacityBuffer,'],
    ['forecast --seeds 0', '--seeds: at least one run is needed'],
    ['forecast --snapshot ./none.json', '--snapshot ./none.json: there is no such file or folder'],
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
