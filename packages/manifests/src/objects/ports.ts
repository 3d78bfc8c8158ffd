import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';

type NamedPort = { readonly name: string; readonly containerPort: number };

/** Where the controller listens, and the name of the port that answers probes. Metrics and probes may share one. */
export function controllerPorts(
  { settings }: InstallValues,
  { defaultOf }: SettingCatalogue,
): { readonly container: readonly NamedPort[]; readonly metrics: number; readonly probe: string } {
  const portOf = (name: string): number => Number(settings.get(name) ?? defaultOf(name));
  const metrics = portOf('metricsPort');
  const probes = portOf('healthProbePort');
  const conversion = portOf('conversionWebhookPort');
  const isOne = probes === metrics;
  const container = [
    { name: 'metrics', containerPort: metrics },
    ...(isOne ? [] : [{ name: 'probes', containerPort: probes }]),
    ...(conversion === 0 ? [] : [{ name: 'conversion', containerPort: conversion }]),
  ];
  return { container, metrics, probe: isOne ? 'metrics' : 'probes' };
}
