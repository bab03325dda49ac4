/** The pages under /docs by group, in the order of the navigation; each except the reference is a Markdown file of the project. */
export const GROUPS = [
  {
    name: 'Start',
    pages: [
      { href: '/docs', name: 'Overview', file: 'docs/integration.md' },
      { href: '/docs/quick-start', name: 'Quick start', file: 'docs/quick-start.md' },
      { href: '/docs/nextjs', name: 'Next.js', file: 'docs/nextjs.md' },
      { href: '/docs/django', name: 'Django', file: 'docs/django.md' },
      { href: '/docs/wordpress', name: 'WordPress', file: 'docs/wordpress.md' },
      { href: '/docs/testing', name: 'Testing', file: 'docs/testing.md' },
      { href: '/docs/going-live', name: 'Going live', file: 'docs/going-live.md' },
      { href: '/docs/migration', name: 'Migration', file: 'docs/migration.md' },
    ],
  },
  {
    name: 'Build',
    pages: [
      { href: '/docs/backend', name: 'Your backend', file: 'docs/backend.md' },
      { href: '/docs/examples', name: 'Examples', file: 'docs/examples.md' },
      { href: '/docs/component', name: 'The component', file: 'docs/component.md' },
      { href: '/docs/front-end', name: 'React, Vue and Svelte', file: 'docs/front-end.md' },
      { href: '/docs/works-with', name: 'Works with', file: 'docs/works-with.md' },
      { href: '/docs/troubleshooting', name: 'Troubleshooting', file: 'docs/troubleshooting.md' },
      { href: '/docs/feedback', name: 'Feedback', file: 'docs/feedback.md' },
      { href: '/docs/grants', name: 'Grants', file: 'docs/grants.md' },
      { href: '/docs/webhooks', name: 'Webhooks', file: 'docs/webhooks.md' },
      { href: '/docs/manage', name: 'Manage by API', file: 'docs/manage.md' },
      { href: '/docs/members-and-usage', name: 'Members and usage', file: 'docs/members-and-usage.md' },
      { href: '/docs/limits', name: 'Limits', file: 'docs/limits.md' },
      { href: '/docs/under-attack', name: 'Under attack', file: 'docs/under-attack.md' },
      { href: '/docs/attack-price', name: 'Attack price', file: 'docs/attack-price.md' },
    ],
  },
  {
    name: 'Reference',
    pages: [
      { href: '/docs/sdk-node', name: 'Node.js', file: 'sdk/node/README.md' },
      { href: '/docs/sdk-python', name: 'Python', file: 'sdk/python/README.md' },
      { href: '/docs/sdk-php', name: 'PHP', file: 'sdk/php/README.md' },
      { href: '/docs/api', name: 'API reference', file: undefined },
      { href: '/docs/errors', name: 'Errors', file: 'docs/errors.md' },
      { href: '/docs/component-states', name: 'States of the component', file: 'docs/component-states.md' },
      { href: '/docs/glossary', name: 'Glossary', file: 'docs/glossary.md' },
    ],
  },
  {
    name: 'Operate',
    pages: [
      { href: '/docs/install', name: 'Install', file: 'docs/install.md' },
      { href: '/docs/settings', name: 'Settings', file: 'docs/settings.md' },
      {
        href: '/docs/database-and-backups',
        name: 'Database and backups',
        file: 'docs/database-and-backups.md',
      },
      {
        href: '/docs/proxies-and-restarts',
        name: 'Proxies and restarts',
        file: 'docs/proxies-and-restarts.md',
      },
      { href: '/docs/command-line', name: 'Command line', file: 'docs/command-line.md' },
      { href: '/docs/data-and-privacy', name: 'Data and privacy', file: 'docs/data-and-privacy.md' },
      { href: '/docs/single-sign-on', name: 'Single sign-on', file: 'docs/single-sign-on.md' },
      { href: '/docs/high-availability', name: 'High availability', file: 'docs/high-availability.md' },
      { href: '/docs/reliability', name: 'Reliability', file: 'docs/reliability.md' },
      { href: '/docs/scale', name: 'Scale', file: 'docs/scale.md' },
      { href: '/docs/upgrading', name: 'Upgrading', file: 'docs/upgrading.md' },
      { href: '/docs/changelog', name: 'Changelog', file: 'CHANGELOG.md' },
      { href: '/docs/security', name: 'Security', file: 'SECURITY.md' },
    ],
  },
  {
    name: 'Internals',
    pages: [
      { href: '/docs/architecture', name: 'Architecture', file: 'docs/architecture.md' },
      { href: '/docs/performance', name: 'Performance', file: 'docs/performance.md' },
      { href: '/docs/fault-tests', name: 'How faults are tested', file: 'docs/fault-tests.md' },
      { href: '/docs/attack-method', name: 'How the attack price is measured', file: 'docs/attack-method.md' },
      { href: '/docs/hashwx', name: 'HashWX', file: 'docs/hashwx.md' },
    ],
  },
] as const

type Entry = (typeof GROUPS)[number]['pages'][number]

export type Href = Entry['href']

/** A page that is a Markdown file. */
export type GuideEntry = Extract<Entry, { file: string }>

export const PAGES: readonly Entry[] = GROUPS.flatMap<Entry>(({ pages }) => pages)

export const GUIDES: readonly GuideEntry[] = PAGES.filter((page): page is GuideEntry => page.file !== undefined)

/** The address of a guide's Markdown. */
export const markdownOf = ({ file, href }: GuideEntry): string =>
  `${href === '/docs' ? file.replace('docs/', '/docs/').replace(/\.md$/, '') : href}.md`
