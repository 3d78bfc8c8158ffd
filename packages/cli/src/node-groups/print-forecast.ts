import type { UpdateForecast } from '@nodewright/operator';
import { printTable } from '../table.ts';

/** The arithmetic of an update, for people. */
export function printForecast(name: string, forecast: UpdateForecast): string {
  const { from, to = 'none', image, strategy, parallel, nodes, outdated, surge, size, peak, zones } = forecast;
  const facts = [
    ['group', name],
    ['from', from],
    ['to', image === undefined || image === to ? to : `${to} (${image})`],
    ['nodes', `${outdated} of ${nodes} to replace, ${parallel} at a time, strategy ${strategy}`],
    ['surge', `${surge}: desired ${size.desired} to ${peak.desired}, maximum ${size.max} to ${peak.max}`],
    ['pods', `${forecast.podsToMove} to move`],
    ['quotas', 'not asked; the account must allow the instances of the surge'],
    ['expected', `about ${Math.ceil(forecast.expectedSeconds / 60)} minutes`],
    ...forecast.obstacles.map(({ message }) => ['blocks', message]),
    ...forecast.warnings.map((warning) => ['warning', warning]),
    ['verdict', forecast.why],
  ];
  const width = Math.max(...facts.map(([fact = '']) => fact.length));
  const lines = facts.map(([fact = '', value = '']) => `${fact.padEnd(width)}   ${value}`);
  const rows = zones.map((zone) => [zone.zone, String(zone.nodes), `up to ${zone.surge}`, String(zone.freeAddresses)]);
  return rows.length === 0
    ? lines.join('\n')
    : `${lines.join('\n')}\n\n${printTable(['ZONE', 'NODES', 'SURGE', 'FREE ADDRESSES'], rows)}`;
}
