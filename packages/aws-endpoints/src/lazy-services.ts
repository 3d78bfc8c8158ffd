import type { Service, ServiceName } from './service.ts';

type Loaders = Readonly<Partial<Record<ServiceName, () => Promise<Service>>>>;

/** Services by name; each brings its SDK client's schemas along and is loaded when first called, and once. */
export function lazyServices(loaders: Loaders) {
  const loaded = new Map<ServiceName, Promise<Service>>();
  const get = (name: ServiceName): Promise<Service> => {
    const service = loaded.get(name) ?? load(loaders, name);
    loaded.set(name, service);
    return service;
  };
  const loadAll = async (): Promise<void> => {
    await Promise.all(Object.keys(loaders).map((name) => get(name as ServiceName)));
  };
  return { get, loadAll };
}

function load(loaders: Loaders, name: ServiceName): Promise<Service> {
  const loader = loaders[name];
  if (loader === undefined) throw new Error(`the sandbox has no service ${name}`);
  return loader();
}
