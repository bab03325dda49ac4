/** Marks what belongs to our own people. */
export const Badge = () => <span className="rounded-xs bg-ink px-1.5 text-11 font-semibold text-bg">Staff</span>
