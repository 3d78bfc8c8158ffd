import { readdirSync, readFileSync } from 'node:fs';
import { playScenario, prepareScenario, readScenarios } from '@nodewright/scenario-files';
const dir = 'examples/incidents/';
const rows: [number, string, number][] = [];
for (const f of readdirSync(dir).filter((n) => n.endsWith('.yaml'))) {
  for (const s of readScenarios(dir + f, readFileSync(dir + f, 'utf8'))) for (const c of s.cases) {
    const before = process.cpuUsage();
    const r = await playScenario(prepareScenario(s, c, { standardInput: () => '' }), { seed: 1 });
    const u = process.cpuUsage(before);
    rows.push([Math.round((u.user + u.system) / 1000), f + ' ' + c.name, Math.round((r.endedAt - r.startedAt) / 60000)]);
    console.log(rows.at(-1)?.join(' '), r.failure?.message ?? '');
  }
}
console.log('total', rows.reduce((a, b) => a + b[0], 0));
