import type { UpdateForecast } from '@nodewright/operator';
import { printTable } from '../../terminal/table.ts';

/** The arithmetic of an update, for people. */
export function printForecast(name: string, forecast: UpdateForecast): string {
  const { from, to = 'none', image, outdated, zones } = forecast;
  const facts = [
    ['group', name],
    ['from', from],
    ['to', image === undefined || image === to ? to : `${to} (${image})`],
    ...(outdated === 0 ? [] : workOf(forecast)),
    ...forecast.obstacles.map(({ message }) => ['blocks', message]),
    ...forecast.warnings.map((warning) => ['warning', warning]),
    ['verdict', forecast.why],
  ];
  const width = Math.max(...facts.map(([fact = '']) => fact.length));
  const lines = facts.map(([fact = '', value = '']) => `${fact.padEnd(width)}   ${value}`);
  const rows = zones.map((zone) => [zone.zone, String(zone.nodes), `up to ${zone.surge}`, String(zone.freeAddresses)]);
  return rows.length === 0 || outdated === 0
    ? lines.join('\n')
    : `${lines.join('\n')}\n\n${printTable(['ZONE', 'NODES', 'SURGE', 'FREE ADDRESSES'], rows)}`;
}

function workOf(forecast: UpdateForecast): readonly (readonly [string, string])[] {
  const { strategy, parallel, nodes, outdated, warm, surge, size, peak, podsToMove, expectedSeconds } = forecast;
  return [
    ['nodes', `${outdated} of ${nodes} to replace, ${parallel} at a time, strategy ${strategy}`],
    ['surge', `${surge}: desired ${size.desired} to ${peak.desired}, maximum ${size.max} to ${peak.max}`],
    ...(warm === 0 ? [] : [['warm pool', `${warm} instances to launch anew`] as const]),
    ['pods', `${podsToMove} to move`],
    ...quotaWords(forecast).map((words) => ['quota', words] as const),
    ['expected', `about ${Math.ceil(expectedSeconds / 60)} minutes`],
  ];
}

function quotaWords({ surge, quotas }: UpdateForecast): readonly string[] {
  if (surge === 0) return ['no instance more than now'];
  if (quotas.length === 0) return [`${surge} instances more; which limit they count against is not known`];
  return quotas.map(({ vcpus, name, code, limit, free, unknownBecause = '' }) => {
    const room = limit === undefined ? `how much is free is not known (${unknownBecause})` : `${free} of ${limit} free`;
    return `${vcpus} vCPUs more count against "${name}" (${code}): ${room}`;
  });
}
