/** Links to docs, OpenAPI and the health check. */
export function Reference({ docsUrl }: { docsUrl: string }) {
  const links = [
    { href: docsUrl, name: 'Docs', about: 'Every endpoint, field and error' },
    { href: '/openapi.json', name: 'OpenAPI', about: 'The API description for generators and tools' },
    { href: '/healthz', name: 'Health', about: 'Health check for load balancers' },
  ]
  return (
    <nav aria-labelledby="reference">
      <h2 id="reference" className="text-20 font-semibold">
        Reference
      </h2>
      <ul className="mt-4 grid gap-px overflow-hidden rounded-panel border border-line bg-line md:grid-cols-3">
        {links.map(({ href, name, about }) => (
          <li key={href} className="bg-surface">
            <a href={href} className="group block p-4 -outline-offset-2 transition-colors hover:bg-sunken">
              <span className="font-semibold text-brand-ink underline-offset-4 group-hover:underline">{name}</span>
              <span className="mt-0.5 block text-13 text-ink-2">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
