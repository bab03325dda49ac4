/** The name and version of a client, from its User-Agent. It never wraps: the hyphen and the slash in it would be break points. */
export const ClientName = ({ userAgent }: { userAgent: string }) => (
  <span className="inline-block max-w-56 truncate align-bottom">{userAgent.split(' ', 1)[0]}</span>
)
